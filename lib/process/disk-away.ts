import { causesOf } from '#lib/errors';
import { temporaryFolder } from '#lib/process/temporary-folder';

/** Error codes of a disk that is full or read-only. */
const NOT_WRITTEN = ['ENOSPC', 'EDQUOT', 'EROFS'];
/** Error codes of a disk that is unreachable or not permitted for now; of a file elsewhere they may be permanent. */
const NOT_REACHED = ['EIO', 'ESTALE', 'EACCES', 'EPERM'];

/** Error codes of a folder that cannot be written until its disk is repaired. */
export const DISK_AWAY: readonly string[] = [...NOT_WRITTEN, ...NOT_REACHED];

/** Messages of libraries that report such a disk without an error code. */
const IN_WORDS = /no space left on device|quota exceeded|read-only file system/i;

export const saysNoRoom = (error: unknown): boolean => causesOf(error).some(({ message }) => IN_WORDS.test(message));

/** Error code of the operating system and the path concerned; undefined where the error has none. */
export interface SystemFault {
  code?: string | undefined;
  path?: string | undefined;
}

export function systemFaultOf(error: unknown): SystemFault {
  const { code = saysNoRoom(error) ? 'ENOSPC' : undefined, path } = causesOf(error).find(({ code }) => code) ?? {};
  return { code, path };
}

/** Whether an error or one of its causes comes from this machine's working disk; the media store does not count. */
export function isDiskAway(error: unknown): boolean {
  const causes = causesOf(error);
  if (causes.some(({ code }) => code === 'STORE_AWAY')) return false;
  return causes.some(
    ({ code = '', path }) =>
      NOT_WRITTEN.includes(code) || (NOT_REACHED.includes(code) && path?.startsWith(temporaryFolder())),
  );
}
