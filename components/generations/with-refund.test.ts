import { expect, test } from 'vitest';
import { withRefund } from '#components/generations/with-refund';

test.each([
  ['The engine failed; the gems were refunded.', 12, 'The engine failed; 12 gems were refunded.'],
  ['The engine failed; the gems were refunded.', 1, 'The engine failed; 1 gem was refunded.'],
  ['The engine failed.', 12, 'The engine failed. 12 gems were refunded.'],
  ['', 1, '1 gem was refunded.'],
  ['The engine failed.', 0, 'The engine failed.'],
  ['The engine failed.', undefined, 'The engine failed.'],
])('the message "%s" with %s refunded gems becomes: %s', (message, gems, text) => {
  expect(withRefund(message, gems)).toBe(text);
});
