import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { answerEtagged, etagged } from '#lib/http/etagged';
import { keepSource } from '#lib/http/raw-body';

const TEXT = 'a lighthouse at dusk '.repeat(500);
const KIND = { 'content-type': 'text/plain' };

function ask(headers: Record<string, string>): Request {
  const request = new Request('http://host/', { headers });
  keepSource(request, new IncomingMessage(new Socket()));
  return request;
}

test('a long text is compressed once for all clients that accept gzip', async () => {
  const known = etagged(TEXT);
  const first = await answerEtagged(ask({ 'accept-encoding': 'gzip' }), known, KIND);
  expect(Object.fromEntries(first.headers)).toEqual({
    ...KIND,
    'content-encoding': 'gzip',
    etag: `W/${known.etag}`,
    vary: 'accept-encoding',
  });
  const { packed } = known;
  expect(gunzipSync(await first.arrayBuffer()).toString()).toBe(TEXT);
  const second = await answerEtagged(ask({ 'accept-encoding': 'gzip' }), known, KIND);
  expect(gunzipSync(await second.arrayBuffer()).toString()).toBe(TEXT);
  expect(known.packed).toBe(packed);
  const plain = await answerEtagged(ask({}), known, KIND);
  expect(plain.headers.get('etag')).toBe(known.etag);
  expect(await plain.text()).toBe(TEXT);
});

test.each(['', 'W/'])('a request with the current ETag, prefixed with "%s", gets 304', async weak => {
  const known = etagged(TEXT);
  const answer = await answerEtagged(ask({ 'if-none-match': weak + known.etag }), known, KIND);
  expect(answer.status).toBe(304);
  expect(await answer.text()).toBe('');
});
