import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import { expect, test, vi } from 'vitest';
import { createAccount, type Account } from '#lib/accounts/accounts';
import { COMMAND_LINE, listAudit } from '#lib/accounts/audit';
import { changeAccount } from '#lib/accounts/govern';
import { signInWithIdentity } from '#lib/accounts/identities';
import { addPasskey, askForPasskey, challengePasskey, signInWithPasskey } from '#lib/accounts/passkeys';
import { removeSignIn } from '#lib/accounts/remove-sign-in';
import { beginSecondStep, confirmSecondStep } from '#lib/accounts/second-step';
import { findPasswordHash, listSignIns, setPassword } from '#lib/accounts/sign-ins';
import { TestAuthenticator } from '#lib/accounts/test-authenticator';
import { owedMails } from '#lib/accounts/test-mails';
import { countAttempt } from '#lib/accounts/throttle';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { newId } from '#lib/ids';
import { URI, type TOTP } from 'otpauth';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-passkeys-'));
Object.assign(env(), { BASE_URL: 'https://pomona.example', SMTP_URL: 'smtp://localhost' });

const open = () => createAccount({ email: `${newId()}@example.com` });
const newAuthenticator = () => new TestAuthenticator(env().BASE_URL);

/** Creates an account with a passkey and returns both with the authenticator. */
async function holder() {
  const [account, authenticator] = [await open(), newAuthenticator()];
  await addPasskey(account, authenticator.create(await askForPasskey(account)), 'laptop');
  return { account, authenticator };
}

const signIn = async (authenticator: TestAuthenticator, circumstances = {}): Promise<Account> =>
  signInWithPasskey(authenticator.get(await challengePasskey(newId()), circumstances), newId());

const refused = expect.objectContaining({ code: expect.stringMatching(/^(invalid_request|unauthorized)$/) });

test('a passkey signs in to its account; adding it is audited and notified by mail', async () => {
  const { account, authenticator } = await holder();
  expect(await signIn(authenticator)).toMatchObject({ id: account.id });
  expect(await signIn(authenticator)).toMatchObject({ id: account.id });
  expect(await listSignIns(account.id)).toMatchObject([
    { provider: 'passkey', name: 'laptop', passkey: { counter: 2 }, lastUsedAt: expect.any(Date) },
  ]);
  expect((await listAudit({ accountId: account.id })).data).toMatchObject([
    { act: 'passkey.add', actor: account.email },
  ]);
  expect(await owedMails(account.email)).toMatchObject([{ text: expect.stringContaining('“laptop”') }]);
});

test('a passkey response is accepted once, before its challenge expires, and only for the purpose of the challenge', async () => {
  const { account, authenticator } = await holder();
  authenticator.counts = false;
  const signed = authenticator.get(await challengePasskey('here'));
  await signInWithPasskey(signed, 'here');
  await expect(signInWithPasskey(signed, 'here')).rejects.toEqual(refused);
  await expect(signInWithPasskey(authenticator.get({ challenge: 'bWFkZSB1cA' }), 'here')).rejects.toEqual(refused);
  const toAdd = await askForPasskey(account);
  await expect(signInWithPasskey(authenticator.get(toAdd), 'here')).rejects.toEqual(refused);
  // required for the browser to find the passkey without a user name
  expect(toAdd.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' });
  const late = await challengePasskey('here');
  const { rows } = await pool().query<{ left: number }>(
    `select extract(epoch from max(expires_at) - now())::float as left from secret_links where kind like 'passkey%'`,
  );
  expect(Math.ceil(rows[0]!.left / 60)).toBe(5);
  await pool().query(`update secret_links set expires_at = now() where kind = 'passkey_use'`);
  await expect(signInWithPasskey(authenticator.get(late), 'here')).rejects.toEqual(refused);
});

test('a response for another site, without user verification, by another key or with a lower counter is refused', async () => {
  const { authenticator } = await holder();
  await expect(signIn(authenticator, { origin: 'https://pomona.example.evil' })).rejects.toEqual(refused);
  await expect(signIn(authenticator, { verified: false })).rejects.toEqual(refused);
  const copy = Object.assign(newAuthenticator(), { id: authenticator.id });
  await expect(signIn(copy)).rejects.toEqual(refused);
  await signIn(authenticator);
  authenticator.count -= 1;
  await expect(signIn(authenticator)).rejects.toEqual(refused);
});

test('successful passkey sign-ins do not count against the address, and an account may have 20 passkeys', async () => {
  const { account, authenticator } = await holder();
  const address = newId();
  for (let n = 1; n < env().LIMIT_PASSWORDS_PER_ADDRESS; n++)
    await countAttempt('LIMIT_PASSWORDS_PER_ADDRESS', address);
  for (let n = 0; n < 2; n++) {
    const signed = authenticator.get(await challengePasskey(address));
    expect(await signInWithPasskey(signed, address)).toMatchObject({ id: account.id });
  }
  await pool().query(
    `insert into sign_ins (id, account_id, provider, subject, passkey)
    select gen_random_uuid(), account_id, provider, subject || n, passkey from sign_ins, generate_series(1, 18) n where account_id = $1`,
    [account.id],
  );
  expect((await askForPasskey(account)).excludeCredentials).toHaveLength(19);
  await addPasskey(account, newAuthenticator().create(await askForPasskey(account)), 'phone');
  await expect(askForPasskey(account)).rejects.toMatchObject({ code: 'quota_exceeded' });
});

test('an unknown passkey, one that claims another account, and a removed one are refused', async () => {
  const [ada, eve] = [await holder(), await holder()];
  await expect(signIn(newAuthenticator())).rejects.toEqual(refused);
  eve.authenticator.userHandle = ada.authenticator.userHandle;
  await expect(signIn(eve.authenticator)).rejects.toEqual(refused);
  await setPassword(ada.account, 'a quiet orchard');
  const [passkey] = await listSignIns(ada.account.id);
  await removeSignIn(ada.account, passkey!.id, []);
  await expect(signIn(ada.authenticator)).rejects.toEqual(refused);
  const [newest] = (await listAudit({ accountId: ada.account.id })).data;
  expect(newest).toMatchObject({ act: 'sign_in.remove', actor: ada.account.email });
});

test('confirming the identity of an account with a passkey of another account is refused', async () => {
  const [ada, eve] = [await holder(), await holder()];
  const answer = async (owner: string) =>
    signInWithPasskey(eve.authenticator.get(await challengePasskey(newId())), newId(), owner);
  await expect(answer(ada.account.id)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await answer(eve.account.id.toUpperCase())).toMatchObject({ id: eve.account.id });
});

test('a passkey is added only to the account that asked, if it is new, user-verified and from this site', async () => {
  const [ada, eve] = [await holder(), await open()];
  const asked = await askForPasskey(ada.account);
  expect(asked.excludeCredentials).toHaveLength(1);
  const created = newAuthenticator().create(asked);
  await expect(addPasskey(eve, created, 'hers now')).rejects.toEqual(refused);
  const known = ada.authenticator.create(await askForPasskey(eve));
  await expect(addPasskey(eve, known, 'copied')).rejects.toEqual(refused);
  for (const circumstances of [{ origin: 'http://pomona.example' }, { verified: false }]) {
    const odd = newAuthenticator().create(await askForPasskey(eve), circumstances);
    await expect(addPasskey(eve, odd, 'odd')).rejects.toEqual(refused);
  }
  expect(await listSignIns(eve.id)).toEqual([]);
});

test('malformed passkey data is refused', async () => {
  const { account, authenticator } = await holder();
  const signed = authenticator.get(await challengePasskey('here'));
  for (const clientDataJSON of ['', '!', 'e30', Buffer.from('{"challenge":1}').toString('base64url')]) {
    const odd = { ...signed, response: { ...signed.response, clientDataJSON } };
    await expect(signInWithPasskey(odd, 'here')).rejects.toEqual(refused);
  }
  const odd = { ...signed, response: { ...signed.response, authenticatorData: 'AAAA' } };
  await expect(signInWithPasskey(odd, 'here')).rejects.toEqual(refused);
  const created = newAuthenticator().create(await askForPasskey(account));
  created.response.attestationObject = 'oA';
  await expect(addPasskey(account, created, 'odd')).rejects.toEqual(refused);
});

test('a passkey signs in without the second step, and is refused when its account is disabled', async () => {
  const { account, authenticator } = await holder();
  const app = URI.parse((await beginSecondStep(account)).uri) as TOTP;
  await confirmSecondStep(account, app.generate());
  expect(await signIn(authenticator)).toMatchObject({ id: account.id });
  await changeAccount(COMMAND_LINE, account.id, { disabled: true });
  await expect(signIn(authenticator)).rejects.toMatchObject({ code: 'forbidden' });
});

test('passkey challenges are limited per network address', async () => {
  for (let n = 0; n < 100; n++) await countAttempt('LIMIT_PASSWORDS_PER_ADDRESS', '203.0.113.5');
  await expect(challengePasskey('203.0.113.5')).rejects.toMatchObject({ code: 'rate_limited' });
});

test('an account can remove its own sign-ins except the last usable one, even when two are removed concurrently', async () => {
  const { account } = await holder();
  const identity = { provider: 'oidc', subject: newId(), email: null, emailVerified: false, name: null } as const;
  await signInWithIdentity(identity, { accountId: account.id, signedInAt: new Date() });
  const [passkey, provider] = (await listSignIns(account.id)).map(({ id }) => id);
  const eve = await open();
  await expect(removeSignIn(eve, String(passkey), ['oidc'])).rejects.toMatchObject({ code: 'not_found' });
  await expect(removeSignIn(account, 'no id', ['oidc'])).rejects.toMatchObject({ code: 'not_found' });
  // a provider that is no longer configured does not count as a way to sign in
  await expect(removeSignIn(account, String(passkey), [])).rejects.toMatchObject({ code: 'invalid_request' });
  const elsewhere = await pool().connect();
  await elsewhere.query('begin');
  await elsewhere.query('select from accounts where id = $1 for update', [account.id]);
  await elsewhere.query('delete from sign_ins where id = $1', [passkey]);
  let over = false;
  const second = removeSignIn(account, String(provider), ['oidc']).finally(() => (over = true));
  second.catch(() => {});
  await vi.waitUntil(async () => over || (await isWaitedFor(elsewhere)), { timeout: 10_000 });
  await elsewhere.query('commit');
  elsewhere.release();
  await expect(second).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await listSignIns(account.id)).toHaveLength(1);
  await setPassword(account, 'a quiet orchard');
  const password = (await listSignIns(account.id)).find(({ provider }) => provider === 'password');
  await removeSignIn(account, String(password?.id), ['oidc']);
  expect(await findPasswordHash(account.id)).toBeNull();
});

/** Whether another transaction waits for a lock of this one. */
async function isWaitedFor(client: PoolClient): Promise<boolean> {
  // not from pg_stat_activity, of which a transaction keeps seeing its first snapshot
  const { rowCount } = await client.query(
    'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
  );
  return rowCount !== 0;
}
