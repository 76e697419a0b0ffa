import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { jsonResponse } from '#lib/http/json-response';
import { keepSource } from '#lib/http/raw-body';

const LONG = JSON.stringify({ data: Array.from({ length: 200 }, (_, n) => ({ n, prompt: 'a lighthouse at dusk' })) });

async function ask(text: string, accepted?: string, direct = true, known?: string): Promise<Response> {
  const headers = { ...(accepted && { 'accept-encoding': accepted }), ...(known && { 'if-none-match': known }) };
  const request = new Request('http://host/', { headers });
  if (direct) keepSource(request, new IncomingMessage(new Socket()));
  return jsonResponse(request, text, { status: 200, headers: { etag: '"one"' } });
}

test.each(['gzip', 'br, GZIP;q=0.5', 'gzip, deflate'])(
  'a long response is compressed for Accept-Encoding: %s',
  async accepted => {
    const response = await ask(LONG, accepted);
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-encoding': 'gzip',
      'content-type': 'application/json; charset=utf-8',
      etag: 'W/"one"',
      vary: 'accept-encoding',
    });
    const packed = Buffer.from(await response.arrayBuffer());
    expect(packed.length).toBeLessThan(LONG.length / 5);
    expect(gunzipSync(packed).toString()).toBe(LONG);
  },
);

test.each([undefined, 'br', 'gzip;q=0', 'gzip; q=0.0, br'])(
  'a long response is not compressed for Accept-Encoding: %s',
  async accepted => {
    const response = await ask(LONG, accepted);
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(response.headers.get('etag')).toBe('"one"');
    expect(response.headers.get('vary')).toBe('accept-encoding');
    expect(await response.text()).toBe(LONG);
  },
);

test('a response that passes through Next is not compressed here', async () => {
  const response = await ask(LONG, 'gzip', false);
  expect(response.headers.get('content-encoding')).toBeNull();
  expect(await response.text()).toBe(LONG);
});

test('a short response is not compressed', async () => {
  const response = await ask('{}', 'gzip');
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'application/json; charset=utf-8',
    etag: '"one"',
  });
  expect(await response.text()).toBe('{}');
});

test('a request with the current ETag gets 304 without content headers', async () => {
  const response = await ask('{}', 'gzip', true, '"one"');
  expect(response.status).toBe(304);
  expect(Object.fromEntries(response.headers)).toEqual({ etag: '"one"' });
});
