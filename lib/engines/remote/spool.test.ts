import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createSpool } from '#lib/engines/remote/spool';
import { makeImage } from '#lib/media/media-test-files';
import { printedWithoutDescriptors } from '#lib/process/test-descriptors';
import { sweepTemporary } from '#lib/retention/sweep-temporary';

const dir = await mkdtemp(join(tmpdir(), 'pomona-spool-'));
process.env.DATA_DIR = dir;

async function* bytes(content: string) {
  yield Buffer.from(content);
}

test('an output is kept as usual after the temporary folder was swept', async () => {
  const spool = createSpool();
  for (const content of ['first', 'second']) {
    const { location } = await spool.take(bytes(content));
    expect(await text(await spool.collect(location))).toBe(content);
    await sweepTemporary(new Date(Date.now() + 3 * 86_400_000));
  }
});

test('a collected file is deleted after it is read', async () => {
  const spool = createSpool();
  const { location } = await spool.take(bytes('first'));
  expect(await text(await spool.collect(location))).toBe('first');
  await expect.poll(() => readdir(join(dir, 'tmp'))).toEqual([]);
  expect(spool.holds(location)).toBe(false);
});

test('an output that breaks off leaves no file', async () => {
  const spool = createSpool();
  async function* broken() {
    yield Buffer.from('half');
    throw new Error('broken off');
  }
  await expect(spool.take(broken())).rejects.toThrow('broken off');
  expect(await readdir(join(dir, 'tmp'))).toEqual([]);
});

test('a file that cannot be deleted is left to the sweep of temporary files', async () => {
  const printed = await printedWithoutDescriptors(`
    import { createSpool } from '#lib/engines/remote/spool';
    const spool = createSpool();
    const { location } = await spool.take([Buffer.from('first')]);
    takeAll();
    console.log(await spool.collect(location).catch(error => error.code));
    await pause(100);
    console.log('goes on');`);
  expect(printed).toBe('EMFILE\ngoes on\n');
  expect(await sweepTemporary(new Date(Date.now() + 3 * 86_400_000))).toBe(1);
});

test('the content type is detected even if the bytes arrive one by one', async () => {
  const spool = createSpool();
  const png = await makeImage(8, 8).png().toBuffer();
  async function* pieces() {
    for (const byte of png) yield Buffer.of(byte);
  }
  expect(await spool.take(pieces())).toMatchObject({ contentType: 'image/png' });
  await spool.close();
});

test('closing a spool deletes its uncollected files and drafts', async () => {
  const spool = createSpool();
  await spool.take(bytes('first'));
  const draft = await spool.draft();
  await draft.write(Buffer.from('half'));
  await spool.close();
  expect(await readdir(join(dir, 'tmp'))).toEqual([]);
});
