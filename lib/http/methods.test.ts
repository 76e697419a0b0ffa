import { expect, test } from 'vitest';
import { methods } from '#lib/http/methods';

test('HEAD returns the status and headers of GET, and cancels its body', async () => {
  const closed = Promise.withResolvers<unknown>();
  const body = new ReadableStream({ cancel: closed.resolve });
  const { HEAD } = methods({ GET: async () => new Response(body, { status: 206, headers: { etag: '"a"' } }) });
  const request = new Request('http://localhost/here', { method: 'HEAD' });
  const response = await HEAD(request, { params: Promise.resolve({}) });
  expect([response.status, response.headers.get('etag'), response.body]).toEqual([206, '"a"', null]);
  await closed.promise;
});
