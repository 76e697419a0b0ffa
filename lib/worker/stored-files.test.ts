import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test, vi } from 'vitest';
import { makeTemporaryFolder } from '#lib/process/temporary-folder';
import { sweepTemporary } from '#lib/retention/sweep-temporary';
import { StoreAway } from '#lib/storage/refusals';
import { storage } from '#lib/storage/store';
import { hasRoom } from '#lib/worker/room';
import { StoredFiles } from '#lib/worker/stored-files';

const folder = await mkdtemp(join(tmpdir(), 'pomona-stored-'));
process.env.DATA_DIR = folder;
process.env.LOG_LEVEL = 'silent';
afterAll(() => rm(folder, { recursive: true }));

async function keys() {
  const all = [];
  for await (const { key } of storage().list('result')) all.push(key);
  return all;
}

test('drop deletes every stored file, even if the deletion of an earlier one fails', async () => {
  await mkdir(join(folder, 'media'));
  // a file in place of the folder makes writes and deletions in it fail
  await writeFile(join(folder, 'media', 'preview'), 'no folder');
  const path = join(folder, 'picture');
  await writeFile(path, 'a picture');
  const stored = new StoredFiles();
  await expect(stored.put('preview', path, 'image/webp')).rejects.toThrow('media/preview');
  await stored.put('result', path, 'image/png');
  expect(await keys()).toHaveLength(1);
  await stored.drop();
  expect(await keys()).toEqual([]);
});

test('drop also deletes a file that is still being stored', async () => {
  const path = join(folder, 'film');
  await writeFile(path, Buffer.alloc(30_000_000));
  const stored = new StoredFiles();
  const putting = stored.put('result', path, 'video/mp4');
  await stored.drop();
  await putting;
  expect(await keys()).toEqual([]);
});

/** Makes all writes to the store fail; returns how to end that and how to await the next write. */
function fullStore() {
  const tries: (() => void)[] = [];
  const full = vi.spyOn(storage(), 'put').mockImplementation((...file) => {
    if (file[1] instanceof Readable) file[1].destroy();
    for (const tell of tries.splice(0)) tell();
    return Promise.reject(new StoreAway('no space left on device'));
  });
  return { full, tried: () => new Promise<void>(resolve => tries.push(resolve)) };
}

test('no new work is taken while an output waits for a failing store, until it is stored or no longer wanted', async () => {
  const path = join(folder, 'dear');
  await writeFile(path, 'what was paid for');
  const { put } = storage();
  const { full, tried } = fullStore();
  const stop = new AbortController();
  const stored = new StoredFiles(stop.signal);
  expect(await hasRoom()).toBe(true);
  const first = tried();
  const putting = stored.put('result', path, 'image/png');
  await first;
  await tried();
  expect(await hasRoom()).toBe(false);
  full.mockImplementation(put);
  await putting;
  expect(await hasRoom()).toBe(true);
  full.mockRejectedValue(new StoreAway('no space left on device'));
  const unwanted = stored.put('result', path, 'image/png');
  stop.abort();
  await expect(unwanted).rejects.toThrow();
  expect(await hasRoom()).toBe(true);
  full.mockRestore();
  await stored.drop();
});

test('the temporary folder of an output that waits for days is not swept', async () => {
  const work = await makeTemporaryFolder();
  const path = join(work, 'raw.finished');
  await writeFile(path, 'what was paid for');
  const { full, tried } = fullStore();
  const stored = new StoredFiles(new AbortController().signal);
  const first = tried();
  const putting = stored.put('result', path, 'image/png');
  await first;
  const daysAgo = new Date(Date.now() - 3 * 86_400_000);
  await utimes(work, daysAgo, daysAgo);
  await tried();
  await tried();
  expect(await sweepTemporary(new Date())).toBe(0);
  full.mockRestore();
  await putting;
  await stored.drop();
});
