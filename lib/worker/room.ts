import { mkdir, statfs } from 'node:fs/promises';
import { log } from '#lib/log';
import { temporaryFolder } from '#lib/process/temporary-folder';

/** What an output, the file that it is made of and its smaller forms may take on the way. */
const ROOM_BYTES = 100_000_000;
let hadRoom = true;

/**
 * Whether this machine has room to work. One without would fail whatever it takes, and sooner than others make it, so that most came here:
 * requests wait for room, or for another worker.
 */
export async function hasRoom(): Promise<boolean> {
  const folder = temporaryFolder();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(folder);
  const has = bavail * bsize >= ROOM_BYTES;
  if (has && !hadRoom) log().info({ folder }, 'there is room again');
  if (!has && hadRoom) log().error({ folder, free: bavail * bsize }, 'no room: nothing is taken until there is');
  hadRoom = has;
  return has;
}
