import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { claimHandle, deriveHandle, findFreeHandle, freeHandle } from '#lib/cast/handles';
import { handle as rule } from '#lib/contract/cast-schemas';
import { db } from '#lib/db/client';
import { handles } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { newId } from '#lib/ids';

await useOwnDatabase();
const { id: accountId } = await createAccount({ email: 'ana@example.com' });

const claim = (handle: string | null, name = 'Ana') =>
  db().transaction(tx => claimHandle(tx, { accountId, entityId: newId(), name, handle }));

test.each([
  ['Ana', /^ana-[a-z0-9]{3}$/],
  ['Captain Jörmungandr the Great', /^captain-jor-[a-z0-9]{3}$/],
  ['  7 of Nine ', /^of-nine-[a-z0-9]{3}$/],
  ['a very---long name', /^a-very-long-[a-z0-9]{3}$/],
  ['安娜', /^cast-[a-z0-9]{3}$/],
  ['Image1', /^image1-[a-z0-9]{3}$/],
])('a handle is derived from the name %j', (name, expected) => {
  expect(deriveHandle(name)).toMatch(expected);
});

test('the handle derived from any name is valid', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 50 }), name => {
      expect(rule.safeParse(deriveHandle(name)).success).toBe(true);
    }),
  );
});

test.each(['a', 'a1_b-c', 'abcdefghijklmno', 'image', 'image1a'])('%j is a valid handle', handle => {
  expect(rule.safeParse(handle).success).toBe(true);
});

test.each(['', 'Ana', '1a', '-a', '_a', 'a b', 'é', 'abcdefghijklmnop', 'image1', 'image007', 'a\n'])(
  '%j is not a valid handle',
  handle => {
    expect(rule.safeParse(handle).success).toBe(false);
  },
);

test('only one of 32 concurrent claims of a handle succeeds, and a freed handle can be claimed again', async () => {
  for (let round = 0; round < 5; round++) {
    const outcomes = await Promise.allSettled(Array.from({ length: 32 }, () => claim('contested')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({ code: 'handle_taken', extra: { handle: 'contested' } });
      }
    }
    await freeHandle(db(), 'contested');
  }
});

test('a valid, free handle is suggested in place of a taken one', async () => {
  expect(await findFreeHandle('lighthouse-keep')).toBe('lighthouse-keep');
  await claim('lighthouse-keep');
  await claim('lighthouse-ke-2');
  const free = await findFreeHandle('lighthouse-keep');
  expect(free).toBe('lighthouse-ke-3');
  expect(rule.safeParse(free).success).toBe(true);
});

test('handles derived from the same name at the same time are all different', async () => {
  const names = await Promise.all(Array.from({ length: 50 }, () => claim(null, 'Twin')));
  expect(new Set(names).size).toBe(50);
});

test('a claim that is rolled back leaves the handle free', async () => {
  const failed = db().transaction(async tx => {
    await claimHandle(tx, { accountId, entityId: newId(), name: 'x', handle: 'undone' });
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect((await db().select().from(handles)).map(({ handle }) => handle)).not.toContain('undone');
  expect(await claim('undone')).toBe('undone');
});
