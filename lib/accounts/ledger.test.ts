import { expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { checkLedger } from '#lib/ledger-check/check-ledger';
import { grantGems, listLedger, readBalance } from '#lib/accounts/ledger';
import { useOwnDatabase } from '#lib/db/test-database';
import { newId } from '#lib/ids';
import { shown } from '#lib/issue';

await useOwnDatabase();

test('a hundred concurrent grants leave a gapless chain of balances', async () => {
  const { id } = await createAccount({ email: 'many@example.com', gems: 5 });
  await Promise.all(
    Array.from({ length: 100 }, (_, i) => grantGems(id, { gems: i + 1, reason: `grant ${i}`, kind: 'grant' })),
  );
  expect(await readBalance(id)).toBe(5 + 5050);
  const { data } = await listLedger(id, { limit: 200 });
  expect(data).toHaveLength(101);
  const oldestFirst = data.toReversed();
  oldestFirst.forEach((row, i) => expect(row.balanceAfter).toBe((oldestFirst[i - 1]?.balanceAfter ?? 0) + row.gems));
  expect(data[0]?.balanceAfter).toBe(5055);
  expect((await checkLedger()).filter(report => !report.ok)).toEqual([]);
});

test('pages of the ledger follow each other without a gap, newest first', async () => {
  const { id } = await createAccount({ email: 'pages@example.com', gems: 0 });
  for (let gems = 1; gems <= 5; gems++) await grantGems(id, { gems, reason: 'a gift', kind: 'top_up' });
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await listLedger(id, { limit: 2, cursor });
    seen.push(...page.data.map(row => row.gems));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual([5, 4, 3, 2, 1]);
});

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1_000_000_001])(
  'a grant of %s gems is refused',
  async gems => {
    const { id } = await createAccount({ email: `${newId()}@example.com`, gems: 0 });
    await expect(grantGems(id, { gems, reason: 'a gift', kind: 'grant' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: `gems must be a whole number from 1 to 1000000000; it is ${shown(gems)}.`,
    });
    expect(await readBalance(id)).toBe(0);
  },
);

test('a grant to an unknown account is refused', async () => {
  await expect(grantGems(newId(), { gems: 1, reason: 'a gift', kind: 'grant' })).rejects.toMatchObject({
    code: 'not_found',
  });
});
