import { mkdir, statfs } from 'node:fs/promises';
import { log } from '#lib/log';
import { temporaryFolder } from '#lib/process/temporary-folder';
import { hasCode } from '#lib/storage/folder';
import { storage } from '#lib/storage/store';
import { isStoreAway } from '#lib/worker/stored-files';

/** What an output, the file that it is made of and its smaller forms may take on the way. */
const ROOM_BYTES = 100_000_000;
/** Folders that had no room last time, so that each is told once. */
const full = new Set<string>();

/**
 * Whether this machine has room to work, here and where outputs are kept. One without would fail whatever it takes, and sooner than others
 * make it, so that most came here: requests wait for room, or for another worker.
 */
export async function hasRoom(): Promise<boolean> {
  const { folder: media } = storage();
  const rooms = await Promise.all([temporaryFolder(), ...(media === undefined ? [] : [media])].map(hasRoomIn));
  return rooms.every(Boolean) && !isStoreAway();
}

async function hasRoomIn(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder).catch(async (error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return statfs(folder);
  });
  const has = bavail * bsize >= ROOM_BYTES;
  if (has && full.delete(folder)) log().info({ folder }, 'there is room again');
  if (!has && !full.has(folder))
    log().error({ folder, free: bavail * bsize }, 'no room: nothing is taken until there is');
  if (!has) full.add(folder);
  return has;
}
