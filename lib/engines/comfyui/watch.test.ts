import { expect, test, vi } from 'vitest';
import type { WebSocket } from 'undici';
import { createInbox, createReader } from '#lib/engines/comfyui/watch';

const tell = (type: string, data: object) => JSON.stringify({ type, data: { prompt_id: 'me', ...data } });
const step = (node: string, value: number, max: number) => tell('progress', { node, value, max });
const binary = (...bytes: number[]) => new Uint8Array([...bytes, 0xff, 0xd8, 0xff]).buffer;

test('two samplers count for half of the progress each, and other nodes do not count', () => {
  const read = createReader('me', ['a', 'b']);
  const seen = [step('a', 5, 10), step('vae', 3, 3), step('a', 10, 10), step('b', 1, 2), step('b', 2, 2)].map(read);
  expect(seen.map(one => one && one !== 'over' && one.progress)).toEqual([0.25, 0.25, 0.5, 0.75, 1]);
});

test('without a sampler every node that reports steps counts, and progress never decreases', () => {
  const read = createReader('me', []);
  const seen = [step('x', 8, 10), step('y', 1, 10), step('y', 10, 10)].map(read);
  expect(seen.map(one => one && one !== 'over' && one.progress)).toEqual([0.8, 0.8, 0.9]);
});

test('a node that does not count for the progress still shows that its job is alive', () => {
  const read = createReader('me', ['a']);
  expect(read(step('vae', 1, 3))).toEqual({ state: 'running', told: true });
  read(step('a', 1, 2));
  expect(read(step('upscaler', 1, 9))).toEqual({ state: 'running', progress: 0.5, told: true });
});

test('progress is at most 1, and a node with a single step does not count', () => {
  const read = createReader('me', []);
  expect([step('x', 1, 1), step('y', 9, 3), step('z', 1, 2)].map(read)).toEqual([
    { state: 'running', told: true },
    { state: 'running', progress: 1, told: true },
    { state: 'running', progress: 1, told: true },
  ]);
});

test('the progress of newer servers is read from the state of all nodes', () => {
  const read = createReader('me', ['a']);
  expect(read(tell('progress_state', { nodes: { a: { value: 1, max: 4 }, b: { value: 1, max: 1 } } }))).toEqual({
    state: 'running',
    progress: 0.25,
    told: true,
  });
  expect(read(tell('progress_state', { nodes: { a: { value: 1, max: 0 } } }))).toMatchObject({ progress: 0.25 });
  expect(read(tell('progress_state', { nodes: { a: 'done' } }))).toMatchObject({ progress: 0.25 });
});

test('messages about the queue, about executed nodes and about other jobs report nothing', () => {
  const read = createReader('me', ['a']);
  read(step('a', 1, 2));
  const status = JSON.stringify({ type: 'status', data: { status: { exec_info: { queue_remaining: 2 } } } });
  const other = tell('progress', { prompt_id: 'another', node: 'a', value: 3, max: 4 });
  expect([status, tell('executed', {}), other, step('a', 1, 2)].map(read)).toEqual([
    null,
    null,
    null,
    { state: 'running', progress: 0.5, told: true },
  ]);
});

test('only the end message of this job ends it', () => {
  const read = createReader('me', []);
  expect(read(tell('executing', { node: null, prompt_id: 'another' }))).toBeNull();
  expect(read(tell('executing', { node: null, prompt_id: undefined }))).toEqual({ state: 'running', told: true });
  expect(read(tell('execution_start', {}))).toEqual({ state: 'running', told: true });
  expect(read(tell('executing', { node: '1' }))).toEqual({ state: 'running', told: true });
  expect(read(tell('execution_success', {}))).toBeNull();
  expect(read(tell('executing', { node: null }))).toBe('over');
});

test('preview frames are read with their image type', () => {
  const read = createReader('me', []);
  expect(read(binary(0, 0, 0, 1, 0, 0, 0, 1))).toMatchObject({
    state: 'running',
    frame: { contentType: 'image/jpeg', bytes: new Uint8Array([0xff, 0xd8, 0xff]) },
  });
  expect(read(binary(0, 0, 0, 1, 0, 0, 0, 2))).toMatchObject({ frame: { contentType: 'image/png' } });
});

test.each([
  ['', null],
  ['{', null],
  ['[]', null],
  ['{"type":"progress","data":{"node":"a","value":"x"}}', null],
  ['{"type":"progress","data":{"node":"a","value":1,"max":0}}', null],
  [binary(0, 0, 0, 9, 0, 0, 0, 1), null],
  [binary(0, 0), null],
  [new Uint8Array([0, 0, 0, 1, 0, 0, 0, 1]).buffer, null],
  [new Uint8Array([0, 0, 0, 1, 0, 0, 0, 1, ...Array(2_000_000).fill(0)]).buffer, null],
])('an invalid message is ignored (%#)', (message, answer) => {
  expect(createReader('me', [])(message)).toBe(answer);
});

/** Creates an inbox with a fake socket. */
function open() {
  const socket = Object.assign(new EventTarget(), { binaryType: 'blob', close: vi.fn() });
  const stop = new AbortController();
  const inbox = createInbox(socket as unknown as WebSocket, createReader('me', ['a']), stop.signal);
  const say = (data: unknown) => socket.dispatchEvent(new MessageEvent('message', { data }));
  return { socket, stop, inbox, say };
}

test('messages that were not read yet are merged into one, with the latest values', async () => {
  const { socket, inbox, say } = open();
  expect(socket.binaryType).toBe('arraybuffer');
  say(step('a', 1, 4));
  say(binary(0, 0, 0, 1, 0, 0, 0, 1));
  say(step('a', 2, 4));
  expect(await inbox.next(60_000)).toMatchObject({ progress: 0.5, told: true, frame: { contentType: 'image/jpeg' } });
  expect(await inbox.next(0)).toBeNull();
  const waiting = inbox.next(60_000);
  say(step('a', 3, 4));
  expect(await waiting).toEqual({ state: 'running', progress: 0.75, told: true });
});

test.each<[string, (one: ReturnType<typeof open>) => void]>([
  ['the job is over', ({ say }) => say(tell('executing', { node: null }))],
  ['the socket closes', ({ socket }) => socket.dispatchEvent(new Event('close'))],
  ['nobody wants it any more', ({ stop }) => stop.abort()],
])('an inbox ends when %s, after it delivered the earlier messages', async (_, end) => {
  const one = open();
  one.say(step('a', 1, 4));
  end(one);
  expect(await one.inbox.next(60_000)).toMatchObject({ progress: 0.25 });
  expect(await one.inbox.next(60_000)).toBe('over');
  const waiting = open();
  const next = waiting.inbox.next(60_000);
  end(waiting);
  expect(await next).toBe('over');
  waiting.inbox.close();
  expect(waiting.socket.close).toHaveBeenCalled();
});
