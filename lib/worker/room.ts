import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '#lib/errors';
import { log } from '#lib/log';
import { makeTemporaryFolder, temporaryFolder } from '#lib/process/temporary-folder';
import { storage } from '#lib/storage/store';
import { isStoreAway } from '#lib/worker/stored-files';

/** Free space required to take work: enough for an output, its raw file and its renditions. */
const ROOM_BYTES = 100_000_000;
/** Folders that had no room at the last check, so that each is logged once. */
const full = new Set<string>();
/** Size of the trial file, that of a typical image: a used-up quota may still accept small files for a while. */
const TRIAL_BYTES = 16_000_000;
/** Whether the disk was not writable after a failure; its reported free space may say otherwise. */
let away = false;

/**
 * Tests whether the disk is writable after work failed on it. If not, returns true, and no work is taken until it is.
 */
export async function isDiskOut(error: unknown): Promise<boolean> {
  if (away) return true;
  away = !(await canWrite());
  if (away)
    log().error({ err: error, folder: temporaryFolder() }, 'disk unavailable; no work is claimed until it is back');
  return away;
}

/**
 * Whether this machine has room for temporary files and outputs. A worker without room would fail requests faster than
 * others complete them, and so attract most of them; instead, requests wait for room or for another worker.
 */
export async function hasRoom(): Promise<boolean> {
  const { folder: media } = storage();
  const rooms = await Promise.all([temporaryFolder(), ...(media === undefined ? [] : [media])].map(hasRoomIn));
  return rooms.every(Boolean) && !isStoreAway() && (await isDiskBack());
}

async function isDiskBack(): Promise<boolean> {
  if (away && (await canWrite())) {
    away = false;
    log().info({ folder: temporaryFolder() }, 'disk available again');
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
  if (has && full.delete(folder)) log().info({ folder }, 'disk has space again');
  if (!has && !full.has(folder))
    log().error({ folder, free: bavail * bsize }, 'disk full; no work is claimed until there is space');
  if (!has) full.add(folder);
  return has;
}
