import { expect, test } from 'vitest';
import { failureIn } from '#lib/engines/remote/prediction';

test.each<[object, string]>([
  [{ error: 'no such size' }, 'no such size'],
  [{ error: { detail: 'no such size' } }, '{"detail":"no such size"}'],
  [{ error: null, logs: 'loading\nValueError: no such size\n' }, 'ValueError: no such size'],
  [{ error: 'no such size', logs: 'loading' }, 'no such size'],
  [{}, 'the engine says no reason'],
])('a prediction that ended with %j has the error message: %s', (said, message) => {
  expect(failureIn({ status: 'failed', ...said })).toMatchObject({ code: 'engine_error', message });
});
