import { expect, test } from 'vitest';
import { moneyText } from '#components/account/price';

test.each([
  [1_234, 'usd', '$12.34'],
  [300_000, 'huf', 'HUF\u00a03,000.00'],
  [500, 'ugx', 'UGX\u00a05.00'],
  [500, 'isk', 'ISK\u00a05.00'],
  [5_000, 'jpy', '¥5,000'],
  [5_000, 'mga', 'MGA\u00a05,000'],
  [5_120, 'kwd', 'KWD\u00a05.120'],
])('an amount of %i in the smallest Stripe unit of %s is shown as %s', (amount, currency, text) => {
  expect(moneyText(amount, currency)).toBe(text);
});
