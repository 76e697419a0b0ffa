import { createReadStream } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testStorage } from '#lib/storage/compliance';
import { createLocalStore } from '#lib/storage/local';

const NOBODY = 65_534;
const folder = () => mkdtemp(join(tmpdir(), 'pomona-storage-'));

testStorage('local', async () => createLocalStore(await folder()));

test('other users of the machine cannot read the files', async () => {
  const dir = await folder();
  await createLocalStore(dir).put('result/a.png', new Uint8Array([1]), 'image/png');
  expect((await stat(join(dir, 'result'))).mode & 0o777).toBe(0o700);
  expect((await stat(join(dir, 'result/a.png'))).mode & 0o777).toBe(0o600);
});

test('sweepUnfinished removes old remains of a killed process, but no file that is being written', async () => {
  const dir = await folder();
  const left = join(dir, '.unfinished');
  await mkdir(left, { recursive: true });
  await writeFile(join(left, 'old'), 'x');
  await writeFile(join(left, 'new'), 'x');
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await utimes(join(left, 'old'), anHourAgo, anHourAgo);
  const store = createLocalStore(dir);
  expect(await store.sweepUnfinished(new Date(Date.now() - 1_800_000))).toBe(1);
  expect(await readdir(left)).toEqual(['new']);
  for await (const { key } of store.list('')) expect.fail(`${key} is no finished file`);
});

test('a file that is deleted while it is used is reported as not_found, and other errors stay unchanged', async () => {
  const store = createLocalStore(await folder());
  await store.put('upload/a.png', new Uint8Array([1]), 'image/png');
  const fault = new Error('not a picture');
  await expect(store.withFile('upload/a.png', () => Promise.reject(fault))).rejects.toBe(fault);
  const late = store.withFile('upload/a.png', async path => {
    await store.delete('upload/a.png');
    return readFile(path);
  });
  await expect(late).rejects.toMatchObject({ code: 'not_found' });
});

test('the source stream is closed when the store cannot write', async () => {
  const file = join(await folder(), 'no-folder');
  await writeFile(file, 'x');
  const source = createReadStream(file);
  await expect(createLocalStore(file).put('result/a.png', source, 'image/png')).rejects.toThrow('ENOTDIR');
  expect(source.destroyed).toBe(true);
});

test('a folder without write permission raises StoreAway, so that the put can be retried', async () => {
  const dir = await folder();
  await chmod(dir, 0o500);
  // root may write everywhere, so the test drops its privileges
  const root = process.geteuid?.() === 0;
  if (root) await chown(dir, NOBODY, NOBODY);
  if (root) process.seteuid!(NOBODY);
  try {
    const put = createLocalStore(dir).put('result/a.png', new Uint8Array([1]), 'image/png');
    await expect(put).rejects.toMatchObject({ name: 'StoreAway', message: expect.stringContaining('EACCES') });
  } finally {
    if (root) process.seteuid!(0);
  }
});

test('a file can be written again while it is being deleted', async () => {
  const store = createLocalStore(await folder());
  const put = () => store.put('result/a.png', new Uint8Array(100_000), 'image/png');
  for (let n = 0; n < 20; n++) {
    await put();
    let done = false;
    const again = put().finally(() => (done = true));
    while (!done) await store.delete('result/a.png');
    expect(await again).toMatchObject({ bytes: 100_000 });
  }
});
