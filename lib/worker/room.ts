import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '#lib/errors';
import { log } from '#lib/log';
import { makeTemporaryFolder, temporaryFolder } from '#lib/process/temporary-folder';
import { storage } from '#lib/storage/store';
import { isStoreAway } from '#lib/worker/stored-files';

/** What an output, the file that it is made of and its smaller forms may take on the way. */
const ROOM_BYTES = 100_000_000;
/** Folders that had no room last time, so that each is told once. */
const full = new Set<string>();
/** As large as most pictures: an allowance that is used up takes small files for a while. */
const TRIAL_BYTES = 16_000_000;
/** Whether work failed for the disk, which may say that it has room. */
let away = false;

/** Whether nothing can be written here after work failed for the disk; then nothing is taken until something can. */
export async function isDiskOut(error: unknown): Promise<boolean> {
  if (away) return true;
  away = !(await canWrite());
  if (away)
    log().error({ err: error, folder: temporaryFolder() }, 'the disk is out: nothing is taken until it is back');
  return away;
}

/**
 * Whether this machine has room to work, here and where outputs are kept. One without would fail whatever it takes, and sooner than others
 * make it, so that most came here: requests wait for room, or for another worker.
 */
export async function hasRoom(): Promise<boolean> {
  const { folder: media } = storage();
  const rooms = await Promise.all([temporaryFolder(), ...(media === undefined ? [] : [media])].map(hasRoomIn));
  return rooms.every(Boolean) && !isStoreAway() && (await isDiskBack());
}

async function isDiskBack(): Promise<boolean> {
  if (away && (await canWrite())) {
    away = false;
    log().info({ folder: temporaryFolder() }, 'the disk is back');
  }
  return !away;
}

async function canWrite(): Promise<boolean> {
  try {
    const folder = await makeTemporaryFolder();
    try {
      await writeFile(join(folder, 'trial'), Buffer.alloc(TRIAL_BYTES));
    } finally {
      await rm(folder, { recursive: true });
    }
    return true;
  } catch {
    return false;
  }
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
