import { causesOf } from '#lib/errors';
import { temporaryFolder } from '#lib/process/temporary-folder';

/** What a disk says that is full or can only be read. */
const NOT_WRITTEN = ['ENOSPC', 'EDQUOT', 'EROFS'];
/** What it says that is gone for the time being, or somebody else's; of one file elsewhere it may be lasting. */
const NOT_REACHED = ['EIO', 'ESTALE', 'EACCES', 'EPERM'];

/** What a folder says that cannot be written now, and can when its disk is mended. */
export const DISK_AWAY: readonly string[] = [...NOT_WRITTEN, ...NOT_REACHED];

/** What libraries say of such a disk, without a code. */
const IN_WORDS = /no space left on device|quota exceeded|read-only file system/i;

export const saysNoRoom = (error: unknown): boolean => causesOf(error).some(({ message }) => IN_WORDS.test(message));

/** What the system said, of which file; nothing where it said nothing. */
export interface SystemFault {
  code?: string | undefined;
  path?: string | undefined;
}

export function systemFaultOf(error: unknown): SystemFault {
  const { code = saysNoRoom(error) ? 'ENOSPC' : undefined, path } = causesOf(error).find(({ code }) => code) ?? {};
  return { code, path };
}

/** Whether something failed, however far down, for the disk that this machine works on; that of the media is a store. */
export function isDiskAway(error: unknown): boolean {
  const causes = causesOf(error);
  if (causes.some(({ code }) => code === 'STORE_AWAY')) return false;
  return causes.some(
    ({ code = '', path }) =>
      NOT_WRITTEN.includes(code) || (NOT_REACHED.includes(code) && path?.startsWith(temporaryFolder())),
  );
}
