import { expect, test } from 'vitest';
import { EngineRefusal } from '#lib/engines/engine-refusal';
import { jobFailure, refusalOf } from '#lib/engines/remote/job-error';

const refuse = (status: number, body: unknown, headers = {}) =>
  refusalOf(
    new EngineRefusal('POST http://box/x', status, headers, typeof body === 'string' ? body : JSON.stringify(body)),
  );

test.each<[number, unknown, string, boolean]>([
  [400, { error: { message: 'Invalid size', code: 'invalid_value' } }, 'invalid_input', false],
  [401, { error: { message: 'Incorrect API key' } }, 'engine_unavailable', false],
  [402, { title: 'Insufficient credit', detail: 'You have insufficient credit' }, 'engine_unavailable', false],
  [403, 'forbidden', 'engine_unavailable', false],
  [404, { detail: 'Not Found' }, 'model_missing', false],
  [400, { error: { message: 'The model `x` does not exist', code: 'model_not_found' } }, 'model_missing', false],
  [400, { detail: "Model mismatch: request specifies 'x' but server is running 'y'." }, 'model_missing', false],
  [
    422,
    { title: 'Invalid version or not permitted', detail: 'The specified version does not exist' },
    'model_missing',
    false,
  ],
  [408, '', 'timeout', true],
  [409, { error: 'At capacity' }, 'engine_unavailable', true],
  [413, '', 'invalid_input', false],
  [415, '', 'invalid_input', false],
  [422, { detail: [{ loc: ['body', 'prompt'], msg: 'field required', type: 'missing' }] }, 'invalid_input', false],
  [429, { detail: 'Request was throttled.' }, 'engine_unavailable', true],
  [
    429,
    { error: { message: 'You exceeded your current quota, please check your plan.', code: 'insufficient_quota' } },
    'engine_unavailable',
    false,
  ],
  [429, { error: { message: 'You exceeded your current quota, retry in 30 s.' } }, 'engine_unavailable', true],
  [
    400,
    { error: { message: 'Billing hard limit has been reached', code: 'billing_hard_limit_reached' } },
    'engine_unavailable',
    false,
  ],
  [500, { error: { message: 'Internal error' } }, 'engine_error', true],
  [500, { detail: 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB' }, 'out_of_memory', false],
  [502, '<html>', 'engine_unavailable', false],
  [503, '<html>', 'engine_unavailable', true],
  [504, { detail: 'Request timed out', error_type: 'request_timeout' }, 'timeout', true],
])('the status %d with %j is reported as %s', (status, body, code, retryable) => {
  expect(refuse(status, body)).toMatchObject({ name: 'EngineError', code, retryable });
});

test.each([
  [400, { error: { code: 'content_policy_violation', message: 'Your request was rejected…' } }],
  [400, { error: { code: 'moderation_blocked', message: 'Your request was rejected by the safety system.' } }],
  [422, { detail: [{ msg: 'could not be processed', type: 'content_policy_violation', input: 'secret words' }] }],
])('the status %d with %j is a content policy refusal, with a message that may be shown', (status, body) => {
  const error = refuse(status, body);
  expect(error).toMatchObject({ code: 'invalid_input', retryable: false });
  expect(error.message).toBe('The content policy of the model refused the prompt or the media.');
});

test('the reason of an error does not contain the prompt that the answer repeats', () => {
  const body = {
    detail: [
      { msg: 'width must be divisible by 8', type: 'value_error', input: { prompt: 'nsfw content, out of memory' } },
    ],
  };
  const { message } = refuse(422, body);
  expect(message).toContain('divisible by 8');
  expect(message).not.toContain('nsfw');
});

test('the retry delay of a refusal is passed on', () => {
  expect(refuse(429, '', { 'retry-after': '7' })).toMatchObject({ retryAfter: 7 });
  expect(refuse(503, '', { 'retry-after': new Date(Date.now() + 30_000).toUTCString() }).retryAfter).toBeGreaterThan(
    25,
  );
  // relative to the server's clock, which may be wrong
  const later = { date: 'Tue, 01 Jan 2019 00:00:00 GMT', 'retry-after': 'Tue, 01 Jan 2019 00:00:30 GMT' };
  expect(refuse(503, '', later)).toMatchObject({ retryAfter: 30 });
  expect(refuse(429, '', { 'retry-after': 'soon' }).retryAfter).toBeUndefined();
});

test.each([
  ['NSFW content detected. Try another prompt.', 'invalid_input'],
  ['The input was flagged as sensitive.', 'invalid_input'],
  ['Please try again with different inputs. (E005)', 'invalid_input'],
  ['CUDA out of memory', 'out_of_memory'],
  ['OOM', 'out_of_memory'],
  ['Model weights not found', 'model_missing'],
  ['The model that was asked for does not exist', 'model_missing'],
  ['index out of range', 'engine_error'],
  // known words inside other words or with another meaning
  ['no room in the ZOOM node', 'engine_error'],
  ['fire safety exit not drawn', 'engine_error'],
  ['nsfw.safetensors is broken', 'engine_error'],
  ['', 'engine_error'],
])('a job that failed with %j has the error code %s', (words, code) => {
  const retryable = code === 'engine_error';
  expect(jobFailure(words)).toMatchObject({ code, retryable, message: expect.stringMatching(/./) });
});
