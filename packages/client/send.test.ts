import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { operations } from '../../lib/contract/operations.ts';
import { BusyError, ConflictError, HandleTakenError, ServerError, UnreachableError } from './errors.ts';
import { createClient } from './client.ts';
import { createCalls } from './operations.ts';

import { send } from './send.ts';
import type { Result } from './wire.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { code, message: 'No.' } }, { status, headers });

/** A fake fetch that gives these responses in turn, and a record of its calls. */
function server(...answers: (() => Response)[]) {
  const asked: { url: unknown; headers: Headers; at: number }[] = [];
  const began = Date.now();
  const fetch = (url: unknown, init: RequestInit = {}) => {
    asked.push({ url, headers: new Headers(init.headers), at: Date.now() - began });
    return Promise.resolve().then(answers[Math.min(asked.length, answers.length) - 1]);
  };
  return { asked, fetch, calls: createCalls({ baseUrl: 'https://pomona.example', key: 'k', fetch }) };
}

/** Advances the fake timers until the work settles, so that the delays between attempts pass. */
async function patiently<T>(work: Promise<T>): Promise<T> {
  const settled = work.catch(() => {});
  await vi.runAllTimersAsync();
  await settled;
  return work;
}

const lost = () => {
  throw new TypeError('fetch failed');
};
const fault = () => refusal(500, 'internal_error');
const submit = { params: { architecture: 'mango' }, body: { prompt: 'a fig' } };

test('a submit whose responses are lost is retried under the same generated idempotency key', async () => {
  const { asked, calls } = server(lost, fault, () => Response.json({ request_id: 'r' }));
  expect(await patiently(calls.generate(submit))).toEqual({ request_id: 'r' });
  const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[0]).toMatch(/^\d+(-\d+){3}$/);
  expect(new Set(keys)).toHaveLength(1);
  expect(asked).toHaveLength(3);
});

test.each(['', '.', '..'])(
  'a tag named "%s" is refused without a call, since its URL would be that of another resource',
  async tag => {
    const { asked, calls } = server(() => new Response(null));
    const call = calls.removeTag({ params: { request_id: 'r', tag } });
    await expect(call).rejects.toMatchObject({ name: 'NotFoundError', message: `No tag is "${tag}".` });
    expect(asked).toEqual([]);
  },
);

test('the account is named to the deployment, but not to the upload URL', async () => {
  const { asked, fetch } = server(
    () => Response.json({ upload_url: 'https://store.example/up', method: 'PUT', headers: {}, max_bytes: 9 }),
    () => new Response(null),
  );
  const client = createClient({ baseUrl: 'https://pomona.example', key: 'k', account: 'ana', fetch });
  await patiently(client.upload(new Blob(['file'], { type: 'image/png' })));
  expect(asked.map(({ headers }) => headers.get('pomona-account'))).toEqual(['ana', null]);
});

test.each([202, 429, 402])('a %i response that breaks off counts as lost and is retried', async status => {
  const pull = (controller: ReadableStreamDefaultController) => controller.error(new TypeError('terminated'));
  const { asked, calls } = server(
    () => new Response(new ReadableStream({ pull }), { status }),
    () => Response.json({ request_id: 'r' }),
  );
  expect(await patiently(calls.generate(submit))).toEqual({ request_id: 'r' });
  expect(new Set(asked.map(({ headers }) => headers.get('idempotency-key')))).toHaveLength(1);
  expect(asked).toHaveLength(2);
});

test('a call ends after five attempts, with the last error', async () => {
  const { asked, calls } = server(fault);
  await expect(patiently(calls.getAccount())).rejects.toThrow(ServerError);
  expect(asked).toHaveLength(5);
});

test('a retry waits for the time in Retry-After and a little longer', async () => {
  const busy = () => refusal(429, 'too_many_requests', { 'retry-after': '7' });
  const { asked, calls } = server(busy, () => Response.json({}));
  await patiently(calls.generate(submit));
  expect(asked[1]!.at).toBeGreaterThanOrEqual(7000);
  expect(asked[1]!.at).toBeLessThan(7500);
});

test('a long Retry-After is left to the caller instead of being waited for', async () => {
  const { asked, calls } = server(() => refusal(429, 'rate_limited', { 'retry-after': '900' }));
  const refused = await patiently(calls.getAccount()).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(BusyError);
  expect(refused).toMatchObject({ retryAfter: 900 });
  expect(asked).toHaveLength(1);
});

test.each([400, 401, 402, 403, 404, 409, 410, 451])('a %i response is never retried', async status => {
  const { asked, calls } = server(() => refusal(status, 'something_new'));
  await expect(patiently(calls.generate(submit))).rejects.toMatchObject({ status, code: 'something_new' });
  expect(asked).toHaveLength(1);
});

test('a call that is not idempotent is not retried, unless it was refused before it began', async () => {
  const character = { body: { name: 'Ana', image: 'https://example.com/ana.png' } };
  const { asked, calls } = server(lost);
  await expect(patiently(calls.createCharacter(character))).rejects.toThrow(UnreachableError);
  expect(asked).toHaveLength(1);
  const full = server(
    () => refusal(503, 'out_of_space', { 'retry-after': '1' }),
    () => Response.json({ id: 'c' }, { status: 201 }),
  );
  expect(await patiently(full.calls.createCharacter(character))).toEqual({ id: 'c' });
});

test('the estimate of a run is retried', async () => {
  const estimate = server(lost, () => Response.json({ gems: 3 }));
  const input = { params: { recipe: 'r' }, body: { inputs: {} } };
  expect(await patiently(estimate.calls.estimateRun(input as never))).toEqual({ gems: 3 });
});

test.each(['cancelRequest', 'cancelRun'] as const)(
  '%s is retried, since the work would otherwise continue and cost more',
  async name => {
    const { asked, calls } = server(lost, () => Response.json({ status: 'cancelled' }));
    const input = { params: { request_id: 'r', run_id: 'r' } };
    expect(await patiently(calls[name](input as never) as Promise<unknown>)).toEqual({ status: 'cancelled' });
    expect(asked).toHaveLength(2);
  },
);

test('a 404 completes a deletion only if an earlier response to it was lost', async () => {
  const { calls } = server(lost, () => refusal(404, 'upload_not_found'));
  expect(await patiently(calls.deleteUpload({ params: { upload_id: 'u' } }))).toBeUndefined();
  const first = server(() => refusal(404, 'upload_not_found'));
  await expect(patiently(first.calls.deleteUpload({ params: { upload_id: 'u' } }))).rejects.toMatchObject({
    name: 'NotFoundError',
  });
});

test('after a lost response, a 404 completes only the deletions that return no body', async () => {
  const deletions = Object.values(operations).filter(({ method }) => method === 'DELETE');
  for (const { method, path, params, responses } of deletions) {
    const { fetch } = server(lost, () => refusal(404, 'not_found'));
    const named = { params: Object.fromEntries(Object.keys(params.shape).map(name => [name, 'x'])) };
    const outcome = patiently(send({ baseUrl: 'https://pomona.example', fetch }, `${method} ${path}`, named));
    if (204 in responses) await expect(outcome, path).resolves.toBeUndefined();
    else await expect(outcome, path).rejects.toMatchObject({ name: 'NotFoundError' });
  }
});

test.each([
  ['too_many_requests', () => refusal(429, 'too_many_requests', { 'retry-after': '1' })],
  ['a 503 with Retry-After', () => refusal(503, 'out_of_space', { 'retry-after': '1' })],
])('a 404 does not complete a deletion that was refused before it began (%s)', async (_, notBegun) => {
  const { asked, calls } = server(notBegun, () => refusal(404, 'upload_not_found'));
  const deletion = calls.deleteUpload({ params: { upload_id: 'u' } });
  await expect(patiently(deletion)).rejects.toMatchObject({ name: 'NotFoundError' });
  expect(asked).toHaveLength(2);
});

test('an error has the class of its code, which extends the class of its status, or else that class', async () => {
  const taken = server(() => refusal(409, 'handle_taken'));
  const error = await taken.calls.getAccount().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HandleTakenError);
  expect(error).toBeInstanceOf(ConflictError);
  expect(String(error)).toBe('HandleTakenError: No.');
  const unknown = server(() => refusal(409, 'of_a_later_version'));
  await expect(unknown.calls.getAccount()).rejects.toMatchObject({ name: 'ConflictError', code: 'of_a_later_version' });
});

test('a trailing slash in the base URL is ignored', async () => {
  const { asked, fetch } = server(() => Response.json({}));
  await createClient({ baseUrl: 'https://pomona.example/', fetch }).getAccount();
  expect(asked).toMatchObject([{ url: 'https://pomona.example/v1/account' }]);
});

test('an abort ends the pause between two attempts', async () => {
  const stop = new AbortController();
  const { asked, calls } = server(() => refusal(429, 'too_many_requests', { 'retry-after': '30' }));
  const work = calls.getAccount({ signal: stop.signal });
  const settled = expect(work).rejects.toThrow('enough');
  await vi.advanceTimersByTimeAsync(1000);
  stop.abort(new Error('enough'));
  await settled;
  expect(asked).toHaveLength(1);
});

test('a server that does not answer is given up after the timeout', async () => {
  vi.useRealTimers();
  const silent: typeof globalThis.fetch = (_, init) =>
    new Promise((_, reject) =>
      init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error), { once: true }),
    );
  const calls = createCalls({ retries: 0, timeout: 0.01, fetch: silent });
  await expect(calls.getAccount()).rejects.toThrow(UnreachableError);
});

test('a base that is no address is refused at once, except on a page or for a fetch of the caller', () => {
  for (const baseUrl of [undefined, '', 'localhost:3000', '/v1'])
    expect(() => createClient({ baseUrl, key: 'k' }), baseUrl).toThrow('baseUrl must be an http or https address');
  createClient({ baseUrl: '', fetch });
  vi.stubGlobal('location', new URL('https://pomona.example/page'));
  createClient({ baseUrl: '' });
  vi.unstubAllGlobals();
});

test('a file above the size limit is not sent', async () => {
  const { fetch, asked } = server(() => Response.json({ upload_url: 'https://pomona.example/up', max_bytes: 3 }));
  const client = createClient({ baseUrl: 'https://pomona.example', key: 'k', fetch });
  const sent = client.upload(new Blob(['file'], { type: 'image/png' }));
  await expect(sent).rejects.toMatchObject({ code: 'unusable_file' });
  expect(asked).toHaveLength(1);
});

test('uploads and downloads of files have a longer timeout than other calls', async () => {
  const patience = vi.spyOn(AbortSignal, 'timeout');
  const { fetch } = server(
    () => Response.json({ upload_url: 'https://pomona.example/up', max_bytes: 9 }),
    () => new Response('file'),
  );
  const client = createClient({ baseUrl: 'https://pomona.example', key: 'k', fetch });
  await client.upload(new Blob(['file'], { type: 'image/png' }));
  await client.download({ url: 'https://pomona.example/file' } as Result);
  const [ticket, put, get] = patience.mock.calls.map(([ms]) => ms);
  expect(put).toBeGreaterThan(ticket!);
  expect(get).toBe(put);
});
