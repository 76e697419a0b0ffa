import { expect, test } from 'vitest';
import { purseFor } from '#components/studio/purse';
import type { GemsOverviewWire } from '#lib/contract/gem-schemas';

const payment = {
  provider: 'manual',
  available: true,
  automatic: true,
  allowance: 100,
  price_per_gem: null,
  currency: null,
  method: null,
} as const;
const auto_top_up = { threshold: 0, gems: 25, monthly_limit: 100 };
const overview: GemsOverviewWire = {
  balance: 20,
  in_flight_limit: 20,
  owed: 0,
  auto_top_up,
  auto_topped_up: 0,
  payment,
};

test.each([
  ['nothing where there is enough', {}, [20], 0],
  ['as many portions as the price needs', {}, [46], 50],
  ['for each of several in turn', {}, [20, 20, 20], 50],
  ['at the threshold', { auto_top_up: { ...auto_top_up, threshold: 10 } }, [5, 6], 25],
  ['nothing where it is off', { auto_top_up: null }, [46], 0],
  ['nothing where nothing pays', { payment: { ...payment, automatic: false } }, [46], 0],
  ['nothing that a debt would take', { owed: 1 }, [46], 0],
  ['nothing past its limit of the month', { auto_topped_up: 51 }, [46], 0],
  ['what is left of its limit', { auto_topped_up: 50 }, [46], 50],
  ['nothing past the allowance', { payment: { ...payment, allowance: 49 } }, [46], 0],
  ['what a card pays, without allowance', { payment: { ...payment, allowance: null } }, [46], 50],
])('auto top-up buys %s', (_, more, prices, bought) => {
  expect(purseFor({ ...overview, ...more }, prices)).toEqual({ balance: 20 + bought, bought });
});

test('the balance is undefined before the overview is loaded', () => expect(purseFor(undefined, [1])).toBeUndefined());
