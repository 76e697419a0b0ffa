import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createSpool } from '#lib/engines/remote/spool';
import { sweepTemporary } from '#lib/retention/sweep-temporary';

const dir = await mkdtemp(join(tmpdir(), 'pomona-spool-'));
process.env.DATA_DIR = dir;

async function* bytes(content: string) {
  yield Buffer.from(content);
}

test('after days without an output the next one is kept like any other', async () => {
  const spool = createSpool();
  for (const content of ['first', 'second']) {
    const { location } = await spool.take(bytes(content));
    expect(await text(await spool.collect(location))).toBe(content);
    await sweepTemporary(new Date(Date.now() + 3 * 86_400_000));
  }
});

test('what was collected goes when it was read', async () => {
  const spool = createSpool();
  const { location } = await spool.take(bytes('first'));
  expect(await text(await spool.collect(location))).toBe('first');
  await expect.poll(() => readdir(join(dir, 'tmp'))).toEqual([]);
  expect(spool.holds(location)).toBe(false);
});

test('what nobody collected goes with its spool', async () => {
  const spool = createSpool();
  await spool.take(bytes('first'));
  const draft = await spool.draft();
  await draft.write(Buffer.from('half'));
  await spool.close();
  expect(await readdir(join(dir, 'tmp'))).toEqual([]);
});
