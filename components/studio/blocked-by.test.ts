import { expect, test } from 'vitest';
import { blockedBy } from '#components/studio/blocked-by';

const facts = { total: 10, balance: 10, count: 1, live: 0, mostLive: 1, pending: [], hasFaults: false };

test.each([
  ['nothing', {}, null],
  ['an upload under way', { pending: [{}, { error: 'refused' }] }, /Wait until the upload is done/],
  ['one that failed', { pending: [{ error: 'lost', again: () => {} }] }, /Try the file again, or clear it/],
  ['one that was refused', { pending: [{ error: 'refused' }] }, /^Clear the refused file.$/],
  ['faults', { hasFaults: true }, /marked above/],
  ['the balance', { balance: 9 }, /costs 10 gems, and you have 9/],
  ['what runs already', { live: 20, mostLive: 20 }, /At most 20 run at a time; 20 do/],
  ['room for fewer than are asked for', { count: 3, live: 1, mostLive: 3 }, /; 1 do/],
  ['a limit below what is asked for', { count: 4, mostLive: 3 }, /^At most 3 run at a time.$/],
  ['what is not known yet', { balance: undefined, live: 30, mostLive: undefined }, null],
])('whether and why Create is blocked: %s', (_, more, said) => {
  const blocked = blockedBy({ ...facts, ...more });
  if (said) expect(blocked).toMatch(said);
  else expect(blocked).toBeNull();
});
