import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { storage } from '#lib/storage/store';
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

test('what was stored goes again, the last one too when the first one cannot', async () => {
  await mkdir(join(folder, 'media'));
  // no file comes into this folder, and none is deleted there
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

test('what is still on its way goes, too', async () => {
  const path = join(folder, 'film');
  await writeFile(path, Buffer.alloc(30_000_000));
  const stored = new StoredFiles();
  const putting = stored.put('result', path, 'video/mp4');
  await stored.drop();
  await putting;
  expect(await keys()).toEqual([]);
});
