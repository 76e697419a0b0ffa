import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'next-auth/jwt';
import { afterEach, expect, test, vi } from 'vitest';
import { createAccount, type Account } from '#lib/accounts/accounts';
import { COMMAND_LINE } from '#lib/accounts/audit';
import { changeAccount } from '#lib/accounts/govern';
import { changePassword, endSessions, findPasswordHash, setPassword, signInWithPassword } from '#lib/accounts/sign-ins';
import { countAttempt } from '#lib/accounts/throttle';
import { findSessionByCookies } from '#lib/auth/session';
import { beginSession, sessionSecret } from '#lib/auth/session-token';
import { useOwnDatabase } from '#lib/db/test-database';
import { newId } from '#lib/ids';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-sign-ins-'));
afterEach(() => vi.useRealTimers());

const PASSWORD = 'a quiet orchard';
const open = async (): Promise<Account> =>
  await setPassword(await createAccount({ email: `${newId()}@Example.com` }), PASSWORD);
const signIn = (email: string, password: string, address = newId()) => signInWithPassword({ email, password }, address);
const cookieOf = async (account: Account) => String((await beginSession(account)).split(';')[0]);

test('the right password signs in, whatever the case of the address; it is kept as argon2id', async () => {
  const account = await open();
  expect(await signIn(` ${account.email.toUpperCase()} `, PASSWORD)).toEqual(account);
  expect(await findPasswordHash(account.id)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('a wrong password, an unknown address and an account without a password get the same answer', async () => {
  const account = await open();
  const bare = await createAccount({ email: `${newId()}@example.com` });
  const answers = await Promise.all(
    [account.email, 'nobody@example.com', bare.email].map(email => signIn(email, 'wrong').catch(error => error)),
  );
  expect(new Set(answers.map(error => `${error.code} ${error.message}`)).size).toBe(1);
  expect(answers[0]).toMatchObject({ code: 'unauthorized' });
});

test('after ten wrong passwords an account waits a quarter of an hour, the right one too', async () => {
  const { email } = await open();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T00:00:00Z') });
  for (let n = 0; n < 10; n++) await expect(signIn(email, 'wrong')).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(signIn(email.toUpperCase(), PASSWORD)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 900 });
  vi.setSystemTime(new Date('2030-01-01T00:14:00Z'));
  await expect(signIn(email, PASSWORD)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 60 });
  vi.setSystemTime(new Date('2030-01-01T00:15:01Z'));
  await signIn(email, PASSWORD);
});

test('unknown addresses are throttled as known ones are', async () => {
  for (let n = 0; n < 10; n++) await signIn('ghost@example.com', 'wrong').catch(() => {});
  await expect(signIn('ghost@example.com', 'wrong')).rejects.toMatchObject({ code: 'rate_limited' });
});

test('an address of the network that tries many accounts waits; right passwords do not count', async () => {
  const { email } = await open();
  for (let n = 0; n < 98; n++) await countAttempt('sign-in.address', '203.0.113.9');
  for (let n = 0; n < 5; n++) await signIn(email, PASSWORD, '203.0.113.9');
  await signIn('one@example.com', 'wrong', '203.0.113.9').catch(() => {});
  await signIn('two@example.com', 'wrong', '203.0.113.9').catch(() => {});
  await expect(signIn(email, PASSWORD, '203.0.113.9')).rejects.toMatchObject({ code: 'rate_limited' });
  await signIn(email, PASSWORD, '203.0.113.8');
});

test('a session ends from the next request on: everywhere, by a new password, by the operator', async () => {
  const account = await open();
  const first = await cookieOf(account);
  expect(await findSessionByCookies(`a=b; ${first}; c=d`)).toMatchObject({ accountId: account.id, keyId: null });
  const again = await endSessions(account.id);
  expect(await findSessionByCookies(first)).toBeNull();
  const second = await cookieOf(again);
  expect(await findSessionByCookies(second)).not.toBeNull();
  const third = await cookieOf(await changePassword(again, PASSWORD, 'another orchard'));
  expect(await findSessionByCookies(second)).toBeNull();
  expect(await findSessionByCookies(third)).not.toBeNull();
  await changeAccount(COMMAND_LINE, account.id, { mayGenerate: false });
  expect(await findSessionByCookies(third)).toMatchObject({ mayGenerate: false });
  await changeAccount(COMMAND_LINE, account.id, { disabled: true });
  expect(await findSessionByCookies(third)).toBeNull();
  await expect(signIn(account.email, 'another orchard')).rejects.toMatchObject({ code: 'forbidden' });
});

test('what was not sealed here opens nothing', async () => {
  const account = await open();
  const cookie = await cookieOf(account);
  const name = cookie.slice(0, cookie.indexOf('='));
  const token = { sub: account.id, epoch: account.sessionEpoch };
  const forged = [
    '',
    'x',
    `${cookie.slice(name.length + 1, -2)}AA`,
    await encode({ token, secret: 'another secret' }),
    await encode({ token, secret: sessionSecret(), maxAge: -60 }),
    await encode({ token: { sub: account.id }, secret: sessionSecret() }),
    await encode({ token: { ...token, sub: 'nobody' }, secret: sessionSecret() }),
  ];
  for (const value of forged) expect(await findSessionByCookies(`${name}=${value}`)).toBeNull();
  expect(await findSessionByCookies(`x${cookie}`)).toBeNull();
  expect(await findSessionByCookies(null)).toBeNull();
});

test('a new password needs the current one, ten characters, and not to be the e-mail address', async () => {
  const account = await open();
  const change = (current: string | undefined, password: string) => changePassword(account, current, password);
  await expect(change('wrong', 'another orchard')).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(change(undefined, 'another orchard')).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(change(PASSWORD, 'too short')).rejects.toMatchObject({
    message: expect.stringContaining('10 characters'),
  });
  await expect(change(PASSWORD, account.email.toLowerCase())).rejects.toMatchObject({ code: 'invalid_request' });
  await signIn(account.email, PASSWORD);
});
