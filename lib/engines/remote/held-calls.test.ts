import { getEventListeners } from 'node:events';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, expect, test, vi } from 'vitest';
import { EngineError, isEnded, type EngineOutput } from '#lib/engines/engine';
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

test('an output is deleted if its caller aborts before it is collected', async () => {
  held.start(ref.id, context, make);
  await end(ref.id);
  expect(await files()).toHaveLength(1);
  context.abort();
  await expect.poll(files).toEqual([]);
});

test('an output is deleted immediately if its caller aborts while the call is still running', async () => {
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

test('old calls are forgotten together with their outputs, and running calls are kept', async () => {
  held.start('long', context, () => new Promise(() => {}));
  held.start(ref.id, context, make);
  await end(ref.id);
  for (let n = 0; n < 1_000; n++) held.start(`b${n}`, context, async () => output('https://example.com/a.png'));
  await expect.poll(files).toEqual([]);
  expect(await held.poll({ id: 'long' }, context)).toEqual({ state: 'running' });
});

const never = () => new Promise<EngineOutput>(() => {});
/** A call that rejects when it is aborted, as real calls do. */
const stoppable = (signal: AbortSignal) =>
  new Promise<EngineOutput>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
const fails = () => Promise.reject(new Error('broken'));

test('a call is started again only if it failed, was aborted, or its output was collected', async () => {
  const call = vi.fn(never);
  const isBegun = (id: string) => {
    call.mockClear();
    held.start(id, { signal: new AbortController().signal }, call);
    return call.mock.calls.length === 1;
  };
  held.start('runs', context, never);
  held.start('failed', context, fails);
  held.start('made', context, make);
  held.start('collected', context, make);
  await vi.waitUntil(async () => (await held.poll({ id: 'collected' }, context)).state === 'succeeded');
  const collected = await held.poll({ id: 'collected' }, context);
  if (collected.state === 'succeeded') await spool.drop(collected.output.location);
  await new Promise(setImmediate);
  expect(['runs', 'made', 'failed', 'collected'].map(isBegun)).toEqual([false, false, true, true]);
  context.abort();
  expect(isBegun('runs')).toBe(true);
});

test.each<[string, () => Promise<never>, object]>([
  ['failed', fails, { state: 'failed', error: { code: 'engine_error', retryable: true, message: 'Error: broken' } }],
  [
    'was refused',
    () => Promise.reject(new EngineError('invalid_input', 'no', false)),
    { state: 'failed', error: { code: 'invalid_input', retryable: false } },
  ],
])('the error of a call that %s is reported once', async (what, call, told) => {
  const id = `one that ${what}`;
  held.start(id, context, call);
  await new Promise(setImmediate);
  expect(await held.poll({ id }, context)).toMatchObject(told);
  expect(await held.poll({ id }, context)).toEqual({ state: 'lost' });
});

test('cancelling stops a running call, and is too late for a finished one', async () => {
  held.start('stopped', context, stoppable);
  expect(await held.cancel({ id: 'stopped' })).toBe('cancelled');
  expect(await held.cancel({ id: 'stopped' })).toBe('too_late');
  expect(await held.poll({ id: 'stopped' }, context)).toEqual({ state: 'cancelled' });
  expect(await held.poll({ id: 'stopped' }, context)).toEqual({ state: 'lost' });
  expect(await held.cancel({ id: 'nobody' })).toBe('too_late');
  // the call finishes at the moment when it is cancelled
  held.start('quick', context, signal => new Promise(done => signal.addEventListener('abort', () => done(make()))));
  expect(await held.cancel({ id: 'quick' })).toBe('too_late');
});

test('a watch reports the state, the progress and the end of a call', async () => {
  let tell!: (snapshot: { state: 'running'; progress: number }) => void;
  let finish!: (made: EngineOutput) => void;
  held.start('watched', context, (_, say) => {
    tell = say;
    return new Promise(done => (finish = done));
  });
  const made = output('https://example.com/a.png');
  const seen: unknown[] = [];
  for await (const snapshot of held.watch({ id: 'watched' }, context)) {
    seen.push(snapshot);
    if (seen.length === 1) tell({ state: 'running', progress: 0.5 });
    else finish(made);
  }
  expect(seen).toEqual([
    { state: 'running' },
    { state: 'running', progress: 0.5 },
    { state: 'succeeded', output: made },
  ]);
  // reports after the end are ignored
  tell({ state: 'running', progress: 0.9 });
  for await (const snapshot of held.watch({ id: 'watched' }, context)) seen.push(snapshot);
  expect(seen.slice(3)).toEqual([{ state: 'succeeded', output: made }]);
  for await (const _ of held.watch({ id: 'nobody' }, context)) expect.fail('nobody says nothing');
});

test('aborting the signal ends a watch and a poll', async () => {
  held.start('long watched', { signal: new AbortController().signal }, never);
  const watching = (async () => {
    for await (const _ of held.watch({ id: 'long watched' }, context)) context.abort('enough');
  })();
  await expect(watching).rejects.toBe('enough');
  await expect(held.poll({ id: 'long watched' }, context)).rejects.toBe('enough');
});

test('leaving a watch, or watching a finished call, leaves no abort listener', async () => {
  held.start('left', { signal: new AbortController().signal }, never);
  held.start('over', context, make);
  await end('over');
  for (const id of ['left', 'over']) for await (const _ of held.watch({ id }, context)) break;
  expect(getEventListeners(context.signal, 'abort')).toEqual([]);
});

test('closing aborts running calls and deletes the outputs of finished ones', async () => {
  const own = createHeldCalls({
    isThere: ({ location }) => spool.holds(location),
    drop: ({ location }) => spool.drop(location),
  });
  const { signal } = new AbortController();
  own.start('made', { signal }, make);
  await vi.waitUntil(async () => (await own.poll({ id: 'made' }, { signal })).state === 'succeeded');
  const made = await own.poll({ id: 'made' }, { signal });
  const call = vi.fn(stoppable);
  own.start('runs', { signal }, call);
  await own.close();
  expect(call.mock.calls[0]?.[0].aborted).toBe(true);
  expect(made.state === 'succeeded' && spool.holds(made.output.location)).toBe(false);
  expect(await own.poll({ id: 'made' }, { signal })).toEqual({ state: 'lost' });
});
