import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from './client.ts';
import { GenerationError, ServerError, UnreachableError } from './errors.ts';
import type { Sender } from './send.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const state = (status: string, more: object = {}) => ({ request_id: 'r', status, result: null, error: null, ...more });
const live = (more: object = {}) =>
  Response.json(state('in_progress', more), { headers: { etag: '"1"', 'retry-after': '1' } });
const unchanged = () => new Response(null, { status: 304, headers: { 'retry-after': '1' } });

/** A fake server that gives these states in turn. A response that is not final is held back for the requested wait. */
function server(...states: (() => Response)[]) {
  return serverFor({}, ...states);
}

/** Like `server`, for a client with these options. */
function serverFor(options: Pick<Sender, 'timeout'>, ...states: (() => Response)[]) {
  const asked: { wait: number; etag: string | null; at: number }[] = [];
  const began = Date.now();
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const wait = Number(new URL(String(url)).searchParams.get('wait'));
    const etag = new Headers(init?.headers).get('if-none-match');
    asked.push({ wait, etag, at: Date.now() - began });
    const answer = states[Math.min(asked.length, states.length) - 1]!();
    if (!isEager && (answer.status === 304 || answer.headers.has('retry-after')))
      await new Promise(done => setTimeout(done, wait * 1000));
    return answer;
  };
  let isEager = false;
  return {
    asked,
    hurry: () => (isEager = true),
    client: createClient({ baseUrl: 'https://pomona.example', key: 'k', fetch, ...options }),
  };
}

test('wait makes one long call after another, each with the last ETag', async () => {
  const { asked, client } = server(live, unchanged, () => Response.json(state('completed')));
  const work = client.wait('r');
  await vi.runAllTimersAsync();
  expect(await work).toMatchObject({ status: 'completed' });
  expect(asked).toEqual([
    { wait: 60, etag: null, at: 0 },
    { wait: 60, etag: '"1"', at: 60_000 },
    { wait: 60, etag: '"1"', at: 120_000 },
  ]);
});

test('a call asks for no longer wait than the timeout of its client allows', async () => {
  const { asked, client } = serverFor({ timeout: 30 }, live, () => Response.json(state('completed')));
  const work = client.wait('r');
  await vi.runAllTimersAsync();
  await work;
  expect(asked.map(({ wait }) => wait)).toEqual([20, 20]);
});

test('onUpdate is called once for each new state', async () => {
  const { asked, client } = server(
    live,
    unchanged,
    () => live({ progress: 0.5 }),
    () => Response.json(state('completed')),
  );
  const seen: unknown[] = [];
  const work = client.wait('r', { onUpdate: ({ status, progress }) => seen.push([status, progress]) });
  await vi.runAllTimersAsync();
  await work;
  expect(seen).toEqual([
    ['in_progress', undefined],
    ['in_progress', 0.5],
    ['completed', undefined],
  ]);
  expect(asked.map(({ wait }) => wait)).toEqual([2, 2, 2, 2]);
});

test('a server that answers immediately is asked only once a second', async () => {
  const { asked, client, hurry } = server(live, live, () => Response.json(state('completed')));
  hurry();
  const work = client.wait('r');
  await vi.runAllTimersAsync();
  await work;
  expect(asked.map(({ at }) => at)).toEqual([0, 1000, 2000]);
});

test('an abort ends wait', async () => {
  const { client, hurry } = server(live);
  hurry();
  const stop = new AbortController();
  const settled = expect(client.wait('r', { signal: stop.signal })).rejects.toThrow('enough');
  await vi.advanceTimersByTimeAsync(5500);
  stop.abort(new Error('enough'));
  await settled;
});

test('run returns the completed request, or throws a GenerationError with the reason when the request fails', async () => {
  const failed = state('failed', { error: { code: 'generation_failed', message: 'The model gave up.' } });
  const done = state('completed', { result: { url: '/fig.png' } });
  const ending = (last: object) => {
    const accepted = () => Response.json(state('queued'), { status: 202 });
    return server(accepted, () => Response.json(last)).client.run('mango', { prompt: 'a fig' });
  };
  expect(await ending(done)).toEqual(done);
  const error = await ending(failed).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(GenerationError);
  expect(error).toMatchObject({ message: 'The model gave up.', request: failed });
});

test.each([
  ['no answer', () => Promise.reject(new TypeError('fetch failed')), UnreachableError],
  ['a fault', () => Response.json({ error: { code: 'internal_error', message: 'No.' } }, { status: 500 }), ServerError],
])('run names the accepted request when its result cannot be waited for: %s', async (_, trouble, kind) => {
  const accepted = () => Response.json(state('queued'), { status: 202 });
  const fetch: typeof globalThis.fetch = async (_, init) => (init?.method === 'POST' ? accepted() : trouble());
  const client = createClient({ baseUrl: 'https://pomona.example', key: 'k', fetch });
  const work = client.run('mango', { prompt: 'a fig' }).catch((thrown: unknown) => thrown);
  await vi.runAllTimersAsync();
  const error = await work;
  expect(error).toBeInstanceOf(kind);
  expect(error).toMatchObject({ requestId: 'r', message: expect.stringContaining(`wait('r') resumes it`) });
});
