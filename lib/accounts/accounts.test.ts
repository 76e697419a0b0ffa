import { expect, onTestFinished, test } from 'vitest';
import { createAccount, findAccountByEmail, getAccount } from '#lib/accounts/accounts';
import { verifyApiKey } from '#lib/accounts/callers';
import { ensureFirstAccount } from '#lib/accounts/first-account';
import { listLedger } from '#lib/accounts/ledger';
import { signInWithPassword } from '#lib/accounts/sign-ins';
import { db } from '#lib/db/client';
import { accounts } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { newId } from '#lib/ids';

await useOwnDatabase();

test('only one of several concurrent first starts creates the operator and its key, even if accounts exist', async () => {
  await createAccount({ email: 'before@example.com' });
  const made = (await Promise.all(Array.from({ length: 8 }, ensureFirstAccount))).filter(first => first !== null);
  expect(made).toHaveLength(1);
  expect(made[0]?.email).toBe('operator@localhost');
  const account = await findAccountByEmail('operator@localhost');
  expect(account).toMatchObject({ name: 'Operator', operator: true, balance: 1000 });
  expect(await verifyApiKey(made[0]?.apiKey ?? '')).toMatchObject({
    accountId: account?.id,
    keyId: expect.any(String),
  });
  const credentials = { email: 'operator@localhost', password: made[0]?.password ?? '' };
  expect(await signInWithPassword(credentials, { address: 'here' }, async ({ id }) => id)).toBe(account?.id);
});

test('an existing account with the address of the first operator does not become an operator', async () => {
  await db().update(accounts).set({ operator: false });
  const made = await ensureFirstAccount();
  expect(made?.email).toMatch(/^operator-.+@localhost$/);
  expect(await findAccountByEmail('operator@localhost')).toMatchObject({ operator: false });
  expect(await findAccountByEmail(made?.email ?? '')).toMatchObject({ operator: true });
  expect(await ensureFirstAccount()).toBeNull();
});

test('starting gems are recorded as the opening row of the ledger', async () => {
  const rich = await createAccount({ email: 'rich@example.com', name: 'Rich', gems: 7 });
  expect((await listLedger(rich.id)).data).toMatchObject([{ kind: 'opening', gems: 7, balanceAfter: 7 }]);
  const poor = await createAccount({ email: 'poor@example.com', gems: 0 });
  expect(poor).toMatchObject({ name: null, operator: false, balance: 0 });
  expect((await listLedger(poor.id)).data).toEqual([]);
});

test('an account created without a number of gems gets STARTING_GEMS', async () => {
  const { STARTING_GEMS } = env();
  onTestFinished(() => void Object.assign(env(), { STARTING_GEMS }));
  Object.assign(env(), { STARTING_GEMS: 7 });
  const { id, balance } = await createAccount({ email: 'new@example.com' });
  expect(balance).toBe(7);
  expect((await listLedger(id)).data).toMatchObject([{ kind: 'opening', gems: 7 }]);
});

test('an e-mail address belongs to one account, regardless of case', async () => {
  const ada = await createAccount({ email: ' Ada@Example.com ' });
  expect(ada.email).toBe('Ada@Example.com');
  expect(await findAccountByEmail('ada@EXAMPLE.com')).toEqual(ada);
  const taken = { code: 'invalid_request', message: expect.stringContaining('exists already') };
  await expect(createAccount({ email: 'ADA@example.com' })).rejects.toMatchObject(taken);
});

test.each(['', 'ada', 'ada@', 'a b@example.com', 'ada@example.com\0', `${'a'.repeat(250)}@example.com`])(
  'the e-mail address %j is refused',
  async email => {
    await expect(createAccount({ email })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^email must be an e-mail address/),
    });
  },
);

test('all errors of a new account are reported together', async () => {
  const bad = createAccount({ email: 'x', name: 'a\u0000b', gems: -1 });
  await expect(bad).rejects.toMatchObject({
    extra: { issues: [{ path: '/email' }, { path: '/name' }, { path: '/gems' }] },
  });
});

test.each([newId(), 'no-uuid'])('getting the unknown account %s fails', async id => {
  await expect(getAccount(id)).rejects.toMatchObject({ code: 'not_found' });
});
