import { expect, test } from 'vitest';
import { limitsOf } from '#lib/docs/limits-of';

test.each([
  [{}, []],
  [{ minimum: 0, maximum: 30 }, ['0 to 30']],
  [{ minimum: -50, maximum: 100 }, ['-50 to 100']],
  [{ minimum: 8000, maximum: 48000, multipleOf: 1 }, ['whole number', '8000 to 48000']],
  [{ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, ['at least 1']],
  [{ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, []],
  [{ minLength: 1 }, []],
  [{ maxLength: 10_000 }, ['up to 10,000 characters']],
  [{ minLength: 1, maxLength: 50 }, ['1 to 50 characters']],
  [{ maxItems: 1 }, ['up to 1 item']],
  [{ minItems: 1 }, ['at least 1 item']],
  [{ minItems: 2, maxItems: 2 }, ['2 items']],
])('the limits of %j are %j', (schema, limits) => {
  expect(limitsOf(schema)).toEqual(limits);
});
