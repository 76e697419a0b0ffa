import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, expect, test, vi } from 'vitest';
import { isEnded, type EngineOutput } from '#lib/engines/engine';
import { createHeldCalls } from '#lib/engines/remote/held-calls';
import { createSpool } from '#lib/engines/remote/spool';

const dir = await mkdtemp(join(tmpdir(), 'pomona-held-'));
process.env.DATA_DIR = dir;

const spool = createSpool();
const held = createHeldCalls({
  isThere: ({ location }) => spool.holds(location),
  drop: ({ location }) => spool.drop(location),
});
const ref = { id: 'a' };
let context: AbortController;
beforeEach(() => void (context = new AbortController()));

const files = () => readdir(join(dir, 'tmp'));
const output = (location: string): EngineOutput => ({ contentType: 'image/png', location, width: 1, height: 1 });
const make = async () => output((await spool.take(Readable.from([Buffer.from('a picture')]))).location);

/** Waits for the end of a call, as a worker does. */
const end = (id: string) =>
  vi.waitUntil(async () => isEnded(await held.poll({ id }, { signal: new AbortController().signal })), 30_000);

test('what was made goes when whoever began it leaves before it is collected', async () => {
  held.start(ref.id, context, make);
  await end(ref.id);
  expect(await files()).toHaveLength(1);
  context.abort();
  await expect.poll(files).toEqual([]);
});

test('what is made for nobody any more goes at once', async () => {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  held.start(ref.id, context, async () => {
    const made = await make();
    expect(await files()).toHaveLength(1);
    context.abort();
    leave();
    return made;
  });
  await left;
  await expect.poll(files).toEqual([]);
});

test('what is forgotten goes with what was made; what is under way is not forgotten', async () => {
  held.start('long', context, () => new Promise(() => {}));
  held.start(ref.id, context, make);
  await end(ref.id);
  for (let n = 0; n < 1_000; n++) held.start(`b${n}`, context, async () => output('https://example.com/a.png'));
  await expect.poll(files).toEqual([]);
  expect(await held.poll({ id: 'long' }, context)).toEqual({ state: 'running' });
});
