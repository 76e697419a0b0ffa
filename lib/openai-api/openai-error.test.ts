import { expect, test } from 'vitest';
import { AppError, type RefusalCode } from '#lib/errors';
import type { Shown } from '#lib/generations/read';
import { notMade, openaiError } from '#lib/openai-api/openai-error';

test.each<[RefusalCode, object]>([
  ['forbidden', { status: 403, type: 'invalid_request_error', code: 'insufficient_permissions', param: null }],
  ['rate_limited', { status: 429, type: 'requests', code: 'rate_limit_exceeded', param: null }],
  ['architecture_retired', { status: 404, type: 'invalid_request_error', code: 'model_not_found', param: 'model' }],
])('the refusal %s has the status, type and code of the OpenAI API', async (code, told) => {
  const answer = await openaiError(new AppError(code, 'No.'), 'x', new AbortController().signal);
  const { error } = (await answer.json()) as { error: object };
  expect({ status: answer.status, ...error }).toEqual({ ...told, message: 'No.' });
});

test('the error of a failed generation says that it was refunded', () => {
  const failed = { id: 'x', status: 'failed', errorMessage: 'The model gave up.' } as Shown;
  expect(notMade(failed).error.message).toBe('The model gave up. It was refunded.');
});
