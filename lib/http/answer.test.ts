import { expect, test } from 'vitest';
import { AppError } from '#lib/errors';
import { answer } from '#lib/http/answer';

const ask = (handle: () => Promise<Response>, toResponse?: Parameters<typeof answer>[1]) =>
  answer(handle, toResponse)(new Request('http://localhost/here'), { params: Promise.resolve({}) });

test('a response is sent with no-store unless it sets its own cache-control', async () => {
  const kept = { headers: { 'cache-control': 'public, no-cache' } };
  expect((await ask(async () => new Response('own'))).headers.get('cache-control')).toBe('no-store');
  expect((await ask(async () => new Response('all', kept))).headers.get('cache-control')).toBe('public, no-cache');
});

test('an error response has the envelope or a custom form, and always a request id and no-store', async () => {
  const fail = () => Promise.reject(new AppError('not_found', 'There is nothing here.'));
  const ours = await ask(fail);
  expect(ours.status).toBe(404);
  expect(await ours.json()).toMatchObject({ error: { code: 'not_found' } });
  const theirs = await ask(fail, async () => Response.json({ theirs: true }, { status: 418 }));
  expect(theirs.status).toBe(418);
  const broken = await ask(() => Promise.reject(new Error('broken')));
  // the id that a user reports to the operator is the one in the log
  expect((await broken.json()).error.message).toContain(broken.headers.get('x-request-id'));
  for (const { headers } of [ours, theirs]) {
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('cache-control')).toBe('no-store');
  }
});
