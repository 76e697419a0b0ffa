import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'next-auth/jwt';
import { afterEach, expect, test, vi } from 'vitest';
import { createAccount, type Account } from '#lib/accounts/accounts';
import { COMMAND_LINE, listAudit } from '#lib/accounts/audit';
import { changeAccount } from '#lib/accounts/govern';
import { endSession, endSessions, listSessions, openSession } from '#lib/accounts/sessions';
import { changePassword, findPasswordHash, listSignIns, setPassword, signInWithPassword } from '#lib/accounts/sign-ins';
import { makeDeviceToken } from '#lib/accounts/known-device';
import { sessionToWire } from '#lib/accounts/session-to-wire';
import { countAttempt } from '#lib/accounts/throttle';
import { findSessionByCookies, signOut } from '#lib/auth/session';
import { beginSession, sessionSecret } from '#lib/auth/session-token';
import { pool, type Tx } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { getRecentCaller } from '#lib/http/caller';
import type { Handler } from '#lib/http/route';
import { newId } from '#lib/ids';
import { begin, commitWhenWaitedFor, WAITING } from '#lib/life/test-requests';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-sign-ins-'));
afterEach(() => vi.useRealTimers());

const PASSWORD = 'a quiet orchard';
async function open(): Promise<Account> {
  const account = await createAccount({ email: `${newId()}@Example.com` });
  await setPassword(account, PASSWORD);
  return account;
}
const signIn = (email: string, password: string, address = newId(), device?: string) =>
  signInWithPassword({ email, password }, { address, device: device ?? null }, async account => account);
const NOW = () => ({ signedInAt: new Date() });
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';
/** Signs a browser in and returns its `Cookie` header; `cookie` is the one that it had before. */
async function cookieOf({ id }: { id: string }, cookie?: string): Promise<string> {
  const [first = ''] = await beginSession(id, { headers: { cookie, 'user-agent': FIREFOX }, address: '203.0.113.7' });
  return String(first.split(';')[0]);
}

test('the right password signs in with the address in any case, and is stored as an argon2id hash', async () => {
  const account = await open();
  expect(await signIn(` ${account.email.toUpperCase()} `, PASSWORD)).toEqual(account);
  expect(await findPasswordHash(account.id)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('signing in with a password works beside other sign-ins and updates the last use of that password only', async () => {
  const [account, other] = [await createAccount({ email: `${newId()}@example.com` }), await open()];
  await pool().query(
    `insert into sign_ins (id, account_id, provider, subject) values (gen_random_uuid(), $1, 'oidc', $2)`,
    [account.id, newId()],
  );
  await setPassword(account, PASSWORD);
  await signIn(account.email, PASSWORD);
  const used = async ({ id }: Account) =>
    (await listSignIns(id)).map(({ provider, lastUsedAt }) => lastUsedAt && provider);
  expect(new Set(await used(account))).toEqual(new Set(['password', null]));
  expect(await used(other)).toEqual([null]);
});

test('a wrong password, an unknown address and an account without a password get the same error', async () => {
  const account = await open();
  const bare = await createAccount({ email: `${newId()}@example.com` });
  const answers = await Promise.all(
    [account.email, 'nobody@example.com', bare.email].map(email => signIn(email, 'wrong').catch(error => error)),
  );
  expect(new Set(answers.map(error => `${error.code} ${error.message}`)).size).toBe(1);
  expect(answers[0]).toMatchObject({ code: 'unauthorized' });
});

test('ten wrong passwords block a network address for 15 minutes, even with the right one, but no other address', async () => {
  const { email } = await open();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T00:00:00Z') });
  const guess = (password: string, spelled = email.toUpperCase()) => signIn(spelled, password, '203.0.113.1');
  for (const spelled of Array.from({ length: 5 }, () => [email, undefined]).flat())
    await expect(guess('wrong', spelled)).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(guess(PASSWORD)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 900 });
  await signIn(email, PASSWORD, '203.0.113.2');
  vi.setSystemTime(new Date('2030-01-01T00:14:00Z'));
  await expect(guess(PASSWORD)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 60 });
  vi.setSystemTime(new Date('2030-01-01T00:15:01Z'));
  await guess(PASSWORD);
});

test('too many wrong passwords from all addresses block an account everywhere except on known devices', async () => {
  const account = await open();
  const device = makeDeviceToken(account.id);
  const another = makeDeviceToken((await open()).id);
  for (let n = 0; n < 100; n++) await countAttempt('LIMIT_PASSWORDS_PER_ACCOUNT', account.email);
  await expect(signIn(account.email, PASSWORD)).rejects.toMatchObject({ code: 'rate_limited' });
  const forged = device.replace(/.$/, last => (last === 'A' ? 'B' : 'A'));
  for (const token of [another, forged, 'x.y', '.', ''])
    await expect(signIn(account.email, PASSWORD, newId(), token)).rejects.toMatchObject({ code: 'rate_limited' });
  await signIn(account.email, PASSWORD, newId(), device);
  // a known device has ten attempts of its own
  for (let n = 0; n < 10; n++) await signIn(account.email, 'wrong', newId(), device).catch(() => {});
  await expect(signIn(account.email, PASSWORD, newId(), device)).rejects.toMatchObject({ code: 'rate_limited' });
});

test('known devices of an account have a limit of wrong passwords together, apart from that of all addresses', async () => {
  const account = await open();
  const [device, another] = [makeDeviceToken(account.id), makeDeviceToken(account.id)];
  for (let n = 0; n < 99; n++) await countAttempt('LIMIT_PASSWORDS_PER_ACCOUNT', `devices ${account.email}`);
  await expect(signIn(account.email, 'wrong', newId(), device)).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(signIn(account.email, PASSWORD, newId(), another)).rejects.toMatchObject({ code: 'rate_limited' });
  await signIn(account.email, PASSWORD);
});

test('sign-ins with an unknown e-mail address are throttled too', async () => {
  for (let n = 0; n < 10; n++) await signIn('ghost@example.com', 'wrong', '203.0.113.3').catch(() => {});
  await expect(signIn('ghost@example.com', 'wrong', '203.0.113.3')).rejects.toMatchObject({ code: 'rate_limited' });
});

test('a network address that guesses passwords of many accounts is throttled; right passwords do not count', async () => {
  const { email } = await open();
  for (let n = 0; n < 98; n++) await countAttempt('LIMIT_PASSWORDS_PER_ADDRESS', '203.0.113.9');
  for (let n = 0; n < 5; n++) await signIn(email, PASSWORD, '203.0.113.9');
  await signIn('one@example.com', 'wrong', '203.0.113.9').catch(() => {});
  await signIn('two@example.com', 'wrong', '203.0.113.9').catch(() => {});
  await expect(signIn(email, PASSWORD, '203.0.113.9')).rejects.toMatchObject({ code: 'rate_limited' });
  await signIn(email, PASSWORD, '203.0.113.8');
});

test('signing out ends only the session of the given cookie, and can be repeated', async () => {
  const account = await open();
  const [left, kept] = [await cookieOf(account), await cookieOf(account)];
  const lost = vi.spyOn(pool(), 'query').mockImplementationOnce(() => Promise.reject(new Error('gone')));
  await expect(signOut(left)).rejects.toThrow();
  lost.mockRestore();
  await signOut(left);
  await signOut(left);
  await signOut('nothing');
  expect(await findSessionByCookies(left)).toBeNull();
  expect(await findSessionByCookies(kept)).not.toBeNull();
});

test('an account lists and ends only its own sessions: one, or all except the current one', async () => {
  const [ada, eve] = [await open(), await open()];
  const [here, there, elsewhere] = [await cookieOf(ada), await cookieOf(ada), await cookieOf(ada)];
  const session = (await findSessionByCookies(here))!;
  const listed = (await listSessions(ada.id)).map(row => sessionToWire(row, session.sessionId));
  expect(listed).toHaveLength(3);
  expect(listed.find(({ current }) => current)).toMatchObject({
    id: session.sessionId,
    device: 'Firefox on Windows',
    address: '203.0.113.7',
  });
  expect(await listSessions(eve.id)).toEqual([]);
  const other = (await findSessionByCookies(there))!.sessionId;
  await expect(endSession(eve.id, other)).rejects.toMatchObject({ code: 'not_found' });
  await expect(endSession(ada.id, 'no id')).rejects.toMatchObject({ code: 'not_found' });
  await endSessions(eve.id);
  expect(await findSessionByCookies(there)).not.toBeNull();
  await endSession(ada.id, other);
  expect(await findSessionByCookies(there)).toBeNull();
  await endSessions(ada.id, { except: session.sessionId });
  expect(await findSessionByCookies(elsewhere)).toBeNull();
  expect(await findSessionByCookies(here)).not.toBeNull();
});

test('signing in again continues the session of the browser, unless it has ended or belongs to another account', async () => {
  const [ada, eve] = [await open(), await open()];
  const cookie = await cookieOf(ada);
  const again = await cookieOf(ada, cookie);
  expect(again).not.toBe(cookie);
  expect(await listSessions(ada.id)).toHaveLength(1);
  const theirs = await cookieOf(eve, cookie);
  expect(await findSessionByCookies(theirs)).toMatchObject({ accountId: eve.id });
  expect(await listSessions(ada.id)).toHaveLength(1);
  await endSessions(ada.id);
  expect(await findSessionByCookies(await cookieOf(ada, cookie))).toMatchObject({ accountId: ada.id });
  expect(await findSessionByCookies(cookie)).toBeNull();
});

test('a session records its last use, lasts 30 days, and is not accepted after it expires', async () => {
  const account = await open();
  const cookie = await cookieOf(account);
  await pool().query(`update sessions set last_used_at = now() - interval '1 day' where account_id = $1`, [account.id]);
  await findSessionByCookies(cookie);
  const [session] = await listSessions(account.id);
  expect(Date.now() - session!.lastUsedAt.getTime()).toBeLessThan(120_000);
  expect(Math.abs(session!.expiresAt.getTime() - Date.now() - 30 * 86_400_000)).toBeLessThan(60_000);
  await pool().query(`update sessions set expires_at = now() where account_id = $1`, [account.id]);
  expect(await findSessionByCookies(cookie)).toBeNull();
  expect(await listSessions(account.id)).toEqual([]);
});

test('a sign-in counts as recent for ten minutes, regardless of later activity in the session', async () => {
  const account = await open();
  vi.useFakeTimers({ toFake: ['Date'] });
  const cookie = await cookieOf(account);
  const ask = () => getRecentCaller(new Request(env().BASE_URL, { headers: { cookie } }));
  vi.setSystemTime(Date.now() + 9 * 60_000);
  expect(await ask()).toMatchObject({ accountId: account.id });
  vi.setSystemTime(Date.now() + 2 * 60_000);
  await expect(ask()).rejects.toMatchObject({ code: 'sign_in_again' });
  // the only act that requires a recent sign-in and is not an operation of the contract
  const file = join(import.meta.dirname, '../../app/api/account/export/route.ts');
  const { GET: exportAll } = (await import(/* @vite-ignore */ file)) as Record<string, Handler>;
  const refused = await exportAll!(new Request(`${env().BASE_URL}/api/account/export`, { headers: { cookie } }), {
    params: Promise.resolve({}),
  });
  expect([refused.status, (await refused.json()).error.code]).toEqual([403, 'sign_in_again']);
});

test('an operator needs a recent sign-in to let someone into an account or to make an operator, but not to shut one out', async () => {
  const [operator, { id }] = [await open(), await open()];
  await changeAccount(COMMAND_LINE, operator.id, { operator: true });
  vi.useFakeTimers({ toFake: ['Date'] });
  const cookie = await cookieOf(operator);
  vi.setSystemTime(Date.now() + 11 * 60_000);
  const ask = async (method: string, act: string, sent: object = {}) => {
    const file = join(import.meta.dirname, `../../app/api/admin/accounts/[account_id]/${act}route.ts`);
    const handlers = (await import(/* @vite-ignore */ file)) as Record<string, Handler>;
    const headers = { cookie, origin: env().BASE_URL, 'content-type': 'application/json' };
    const body = JSON.stringify(sent);
    const request = new Request(`${env().BASE_URL}/api/admin`, { method, headers, body });
    const answer = await handlers[method]!(request, { params: Promise.resolve({ account_id: id }) });
    return ((await answer.json()) as { error?: { code: string } }).error?.code;
  };
  expect(await ask('POST', 'password-reset/')).toBe('sign_in_again');
  expect(await ask('POST', 'email/', { email: `${newId()}@example.com` })).toBe('sign_in_again');
  expect(await ask('DELETE', 'second-step/')).toBe('sign_in_again');
  expect(await ask('PATCH', '', { operator: true })).toBe('sign_in_again');
  expect(await ask('PATCH', '', { operator: false, disabled: true })).toBeUndefined();
});

test('sessions ended by disabling an account stay ended when it is enabled again', async () => {
  const account = await open();
  const cookie = await cookieOf(account);
  await changeAccount(COMMAND_LINE, account.id, { disabled: true });
  await changeAccount(COMMAND_LINE, account.id, { disabled: false });
  expect(await findSessionByCookies(cookie)).toBeNull();
  const another = await cookieOf(account);
  expect(await findSessionByCookies(another)).not.toBeNull();
  // as if this session had begun at the moment when the others ended
  await pool().query('update accounts set disabled_at = now() where id = $1', [account.id]);
  expect(await findSessionByCookies(another)).toBeNull();
});

test('signing out everywhere, a password change and disabling the account end sessions from the next request on', async () => {
  const account = await open();
  const first = await cookieOf(account);
  expect(await findSessionByCookies(`a=b; x${first}; ${first}; c=d`)).toMatchObject({
    accountId: account.id,
    keyId: null,
  });
  await endSessions(account.id);
  expect(await findSessionByCookies(first)).toBeNull();
  const second = await cookieOf(account);
  expect(await findSessionByCookies(second)).not.toBeNull();
  await changePassword(account, PASSWORD, 'another orchard', NOW());
  const third = await cookieOf(account);
  expect(await findSessionByCookies(second)).toBeNull();
  expect(await findSessionByCookies(third)).not.toBeNull();
  await changeAccount(COMMAND_LINE, account.id, { mayGenerate: false });
  expect(await findSessionByCookies(third)).toMatchObject({ mayGenerate: false });
  await changeAccount(COMMAND_LINE, account.id, { disabled: true });
  expect(await findSessionByCookies(third)).toBeNull();
  await expect(signIn(account.email, 'another orchard')).rejects.toMatchObject({ code: 'forbidden' });
});

test('changing the password during a sign-in with the old one ends the new session too', async () => {
  const account = await open();
  const { promise: underWay, resolve: begun } = Promise.withResolvers<void>();
  let over = false;
  const credentials = { email: account.email, password: PASSWORD };
  const signing = signInWithPassword(credentials, { address: newId() }, async ({ id }, tx) => {
    begun();
    await vi.waitUntil(async () => over || (await isWaitedFor(tx)), { timeout: 10_000 });
    return await beginSession(id, { headers: {}, address: 'here' }, tx);
  });
  await underWay;
  const changing = changePassword(account, PASSWORD, 'another orchard', NOW()).finally(() => (over = true));
  const [cookie = ''] = (await signing)!;
  expect(cookie).toMatch(/^next-auth\.session-token=\w/);
  await changing;
  expect(await findSessionByCookies(cookie)).toBeNull();
});

test('a sign-in is refused when its password is replaced while it is in progress', async () => {
  const account = await open();
  const elsewhere = await begin();
  // locks the account before its password, as deleting an account does
  await elsewhere.query('select from accounts where id = $1 for update', [account.id]);
  const refused = expect(signIn(account.email, PASSWORD)).rejects.toMatchObject({ code: 'unauthorized' });
  await expect.poll(async () => (await elsewhere.query(WAITING)).rowCount).toBe(1);
  await elsewhere.query(`update sign_ins set password_hash = 'of another' where account_id = $1`, [account.id]);
  await commitWhenWaitedFor(elsewhere);
  await refused;
});

/** Whether another transaction waits for a lock of this one. */
async function isWaitedFor(tx: Tx): Promise<boolean> {
  // not from pg_stat_activity, of which a transaction keeps seeing its first snapshot
  const { rowCount } = await tx.execute(
    'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
  );
  return rowCount !== 0;
}

test('session cookies are Secure, HttpOnly and SameSite=Lax when the server uses https', async () => {
  const { id } = await open();
  const { BASE_URL } = env();
  Object.assign(env(), { BASE_URL: 'https://pomona.example' });
  const cookies = await beginSession(id, { headers: {}, address: 'here' });
  Object.assign(env(), { BASE_URL });
  expect(cookies[0]).toMatch(/^__Secure-/);
  for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
});

test('forged, expired and mismatched session cookies are not accepted', async () => {
  const account = await open();
  const cookie = await cookieOf(account);
  const name = cookie.slice(0, cookie.indexOf('='));
  const { sessionId: sid } = (await findSessionByCookies(cookie))!;
  const token = { sub: account.id, sid };
  const forged = [
    '',
    'x',
    `${cookie.slice(name.length + 1, -2)}AA`,
    await encode({ token, secret: 'another secret' }),
    await encode({ token, secret: sessionSecret(), maxAge: -60 }),
    await encode({ token: { sub: account.id }, secret: sessionSecret() }),
    await encode({ token: { ...token, sid: newId() }, secret: sessionSecret() }),
    await encode({ token: { ...token, sub: (await open()).id }, secret: sessionSecret() }),
    await encode({ token: { ...token, sid: 'x' }, secret: sessionSecret() }),
    await encode({ token: { ...token, sub: 'nobody' }, secret: sessionSecret() }),
  ];
  for (const value of forged) expect(await findSessionByCookies(`${name}=${value}`)).toBeNull();
  expect(await findSessionByCookies(`x${cookie}`)).toBeNull();
  expect(await findSessionByCookies(null)).toBeNull();
});

test('changing a password requires the current one, or a recent sign-in if there is none, and a valid new one', async () => {
  const account = await open();
  const change = (current: string | undefined, password: string) => changePassword(account, current, password, NOW());
  const bare = await createAccount({ email: `${newId()}@example.com` });
  const longAgo = { signedInAt: new Date(Date.now() - 3_600_000) };
  await expect(changePassword(bare, undefined, 'another orchard', longAgo)).rejects.toMatchObject({
    code: 'sign_in_again',
  });
  await changePassword(bare, undefined, 'another orchard', NOW());
  const acts = (await listAudit({ accountId: bare.id })).data.map(({ actor, act }) => `${actor}: ${act}`);
  expect(acts).toEqual([`${bare.email}: password.change`]);
  const wrong = { code: 'invalid_request', extra: { issues: [{ path: '/current_password' }] } };
  await expect(change('wrong', 'another orchard')).rejects.toMatchObject(wrong);
  await expect(change(undefined, 'another orchard')).rejects.toMatchObject(wrong);
  await expect(change(PASSWORD, 'too short')).rejects.toMatchObject({
    message: expect.stringContaining('10 to 200 characters'),
  });
  await expect(change(PASSWORD, account.email.toLowerCase())).rejects.toMatchObject({
    extra: { issues: [{ path: '/password', message: 'password must be something other than the e-mail address.' }] },
  });
  await signIn(account.email, PASSWORD);
});

test('only one of two concurrent changes from the same current password succeeds', async () => {
  const account = await open();
  const changes = ['an early orchard', 'a late orchard'].map(wanted =>
    changePassword(account, PASSWORD, wanted, NOW()).then(() => wanted, String),
  );
  const [wanted, ...more] = (await Promise.all(changes)).filter(one => one.endsWith('orchard'));
  expect(more).toEqual([]);
  await signIn(account.email, wanted!);
});

test('ten wrong current passwords block changing the password but not signing in', async () => {
  const account = await open();
  const change = (current: string) => changePassword(account, current, 'another orchard', NOW());
  await expect(change('wrong')).rejects.toMatchObject({ code: 'invalid_request' });
  // the right password clears the counted attempts
  await change(PASSWORD);
  for (let n = 0; n < 10; n++) await expect(change('wrong')).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(change('another orchard')).rejects.toMatchObject({ code: 'rate_limited' });
  await signIn(account.email, 'another orchard');
});

test('an account keeps its 100 most recently used sessions, and the others are signed out', async () => {
  const { id } = await createAccount({ email: `${newId()}@example.com` });
  await pool().query(
    `insert into sessions (id, account_id, user_agent, address, last_used_at, expires_at)
    select gen_random_uuid(), $1, 'browser ' || n, '192.0.2.1', now() - n * interval '1 minute', now() + interval '1 day'
    from generate_series(1, 150) n`,
    [id],
  );
  const latest = await openSession(id, { userAgent: 'the last one', address: '192.0.2.1' }, null);
  const left = await listSessions(id);
  expect(left).toHaveLength(100);
  expect(left[0]).toMatchObject({ id: latest });
  expect(left.at(-1)).toMatchObject({ userAgent: 'browser 99' });
});
