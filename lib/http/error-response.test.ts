import { afterEach, expect, test, vi } from 'vitest';
import { env } from '#lib/env';
import { AppError } from '#lib/errors';
import { errorResponse } from '#lib/http/error-response';
import { metrics } from '#lib/http/metrics';
import { log } from '#lib/log';
import { DecoderKilled } from '#lib/media/decoder';

process.env.LOG_LEVEL = 'silent';
const faults = async () => (await metrics().errors.get()).values[0]?.value ?? 0;
const loudly = vi.spyOn(log(), 'error');
afterEach(() => loudly.mockClear());

const HERE = new AbortController().signal;
const bodyOf = async (response: Response) => (await response.json()) as { error: { code: string; message: string } };

test('an internal error is counted and logged, and the response does not reveal its cause', async () => {
  const before = await faults();
  const response = errorResponse(new Error('the secret of the house'), '0199-7', HERE);
  expect(response.status).toBe(500);
  // the message repeats the id, because a page cannot read the header
  const message = expect.stringContaining('0199-7') as string;
  expect((await bodyOf(response)).error).toEqual({ code: 'internal_error', message });
  expect(JSON.stringify(await bodyOf(errorResponse(new Error('secret'), 'id')))).not.toContain('secret');
  expect(await faults()).toBe(before + 2);
  expect(loudly).toHaveBeenCalledTimes(2);
});

test('an error after the client has disconnected is neither counted nor logged', async () => {
  const before = await faults();
  errorResponse(new Error('aborted'), 'id', AbortSignal.abort());
  expect(await faults()).toBe(before);
  expect(loudly).not.toHaveBeenCalled();
});

test.each([
  ['a full disk', Object.assign(new Error('no space left'), { code: 'ENOSPC' })],
  ['a full disk of the database', new Error('query', { cause: Object.assign(new Error('full'), { code: '53100' }) })],
  ['a decoder that was ended for its memory', new DecoderKilled('ended with SIGKILL')],
  ['a database without memory', Object.assign(new Error('out of memory'), { code: '53200' })],
])('%s is answered with 503 and Retry-After', async (_, error) => {
  const response = errorResponse(error, 'id', HERE);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('60');
  expect((await bodyOf(response)).error.code).toBe('out_of_space');
});

test('Retry-After is rounded up to whole seconds', () => {
  const { headers } = errorResponse(new AppError('rate_limited', 'Too many.', {}, { retryAfter: 30.5 }), 'id', HERE);
  expect(headers.get('retry-after')).toBe('31');
});

test.each([
  ['http://localhost:3000', null],
  ['https://pomona.example', 'max-age=31536000'],
])('with base URL %s an error response has nosniff, and strict-transport-security is %s', (origin, hsts) => {
  Object.assign(env(), { BASE_URL: origin });
  const { headers } = errorResponse(new AppError('not_found', 'Nothing is here.'), 'id', HERE);
  expect(headers.get('strict-transport-security')).toBe(hsts);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});
