import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { createAccount, findAccountByEmail, getAccount } from '#lib/accounts/accounts';
import { COMMAND_LINE, listAudit } from '#lib/accounts/audit';
import { askEmailChange, changeEmail } from '#lib/accounts/email-change';
import { issueEmailLink, issueResetLink } from '#lib/accounts/govern';
import { signInWithIdentity } from '#lib/accounts/identities';
import { createInvite } from '#lib/accounts/invites';
import { askPasswordReset, resetPassword } from '#lib/accounts/password-reset';
import { setPassword, signInWithPassword } from '#lib/accounts/sign-ins';
import { askSignUp, signUp } from '#lib/accounts/sign-up';
import { owedMails } from '#lib/accounts/test-mails';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { newId } from '#lib/ids';
import { singleton } from '#lib/singleton';

await useOwnDatabase();
Object.assign(env(), { DATABASE_POOL: 3 });
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-email-'));
const PASSWORD = 'a quiet orchard';
const sendMail = vi.fn(async (_mail: { to: string; text: string }) => {});
singleton('accounts.mail', () => ({ sendMail }));
beforeEach(() => {
  Object.assign(env(), { SIGN_UP: 'open', SMTP_URL: 'smtp://localhost' });
  sendMail.mockClear();
});

const someone = (): string => `${newId()}@example.com`;
const tokenOf = (text: string | undefined): string => String(/(?:token|invite)=(\w+)/.exec(String(text))?.[1]);
const mailTo = (email: string) =>
  vi.waitUntil(() => sendMail.mock.calls.map(([mail]) => mail).findLast(({ to }) => to === email)?.text, 30_000);

async function open() {
  const account = await createAccount({ email: someone() });
  await setPassword(account, PASSWORD);
  return account;
}

/** Requests a change to another address and returns the token mailed to it. */
async function ask(account: Awaited<ReturnType<typeof open>>, email = someone()) {
  await askEmailChange(account, email);
  return { email, token: tokenOf(await mailTo(email)) };
}

const refused = expect.objectContaining({ code: 'invalid_request' });

test('the link mailed to a new address changes it once, for the account that asked; the old address is notified', async () => {
  const [account, eve] = [await open(), await open()];
  const { email, token } = await ask(account);
  expect(await getAccount(account.id)).toMatchObject({ email: account.email, emailVerifiedAt: null });
  await expect(changeEmail(eve.id, token, 'here')).rejects.toEqual(refused);
  expect(await changeEmail(account.id, token, 'here')).toMatchObject({ email, emailVerifiedAt: expect.any(Date) });
  await expect(changeEmail(account.id, token, 'here')).rejects.toEqual(refused);
  expect(await owedMails(account.email)).toMatchObject([{ text: expect.stringContaining(email) }]);
  const signIn = (email: string) =>
    signInWithPassword({ email, password: PASSWORD }, { address: newId() }, async it => it);
  await expect(signIn(account.email)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await signIn(email)).toMatchObject({ id: account.id });
  expect((await listAudit({ accountId: account.id })).data).toMatchObject([
    { act: 'account.email', actor: account.email, before: { email: account.email }, after: { email } },
  ]);
});

test('an e-mail change link ends when it expires, when another is requested, and when the password changes', async () => {
  const account = await open();
  const first = await ask(account);
  const second = await ask(account);
  await expect(changeEmail(account.id, first.token, 'here')).rejects.toEqual(refused);
  await pool().query('update secret_links set expires_at = now() where email = $1', [second.email]);
  await expect(changeEmail(account.id, second.token, 'here')).rejects.toEqual(refused);
  const { rows } = await pool().query(
    `select count(*)::int as n from secret_links where kind = 'email' and used_at is null`,
  );
  expect(rows).toEqual([{ n: 1 }]);
  const other = await open();
  const third = await ask(other);
  await setPassword(other, 'another orchard');
  await expect(changeEmail(other.id, third.token, 'here')).rejects.toEqual(refused);
});

test('a link of one kind cannot be used as another, and does not end when one of another kind is requested', async () => {
  const account = await open();
  const { token } = await ask(account);
  await expect(resetPassword(token, 'another orchard', newId())).rejects.toEqual(refused);
  const invite = tokenOf((await issueResetLink(COMMAND_LINE, account.id)).url);
  await expect(changeEmail(account.id, invite, newId())).rejects.toEqual(refused);
  const joining = signUp({ email: someone(), password: PASSWORD, invite }, newId());
  await expect(joining).rejects.toMatchObject({ code: 'forbidden' });
  // a link of one kind is not invalidated by a later link of another kind either
  await ask(account);
  await resetPassword(invite, 'another orchard', newId());
});

test('password reset links sent to the old address end when the address changes', async () => {
  const account = await open();
  const reset = tokenOf((await issueResetLink(COMMAND_LINE, account.id)).url);
  const { token } = await ask(account);
  await changeEmail(account.id, token, 'here');
  await expect(resetPassword(reset, 'third orchard', 'here')).rejects.toEqual(refused);
});

test('an address of another account is mailed no link, without the requester knowing, and cannot be taken later', async () => {
  const [account, ada] = [await open(), await open()];
  expect(await askEmailChange(account, ada.email.toUpperCase())).toBeUndefined();
  const told = await mailTo(ada.email.toUpperCase());
  expect(told).toContain('Another account');
  expect(told).not.toContain('token=');
  const { email, token } = await ask(account);
  const late = await createAccount({ email });
  await expect(changeEmail(account.id, token, 'here')).rejects.toEqual(refused);
  expect(await findAccountByEmail(email)).toMatchObject({ id: late.id });
});

test('only one of two accounts that take an address at the same time gets it, and the other gets an error', async () => {
  const [ada, eve] = [await open(), await open()];
  const email = someone();
  const tokens: string[] = [];
  for (const { id } of [ada, eve]) tokens.push(tokenOf((await issueEmailLink(COMMAND_LINE, id, email)).url));
  // the table lock lets both check that the address is free before either takes it
  const holder = await pool().connect();
  await holder.query('begin; lock table accounts in share mode');
  const both = Promise.allSettled([changeEmail(ada.id, tokens[0]!, newId()), changeEmail(eve.id, tokens[1]!, newId())]);
  const waiting = `select count(*)::int as n from pg_locks where not granted and relation = 'accounts'::regclass`;
  await vi.waitUntil(async () => (await holder.query<{ n: number }>(waiting)).rows[0]!.n === 2, 30_000);
  await holder.query('commit');
  holder.release();
  const ends = await both;
  expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { extra: { issues: [{ message: 'No account can take this address any more.' }] } },
  });
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('requests to change an address are limited to three per account and three per wanted address', async () => {
  const account = await open();
  for (let n = 0; n < 3; n++) await askEmailChange(account, someone());
  await expect(askEmailChange(account, someone())).rejects.toMatchObject({ code: 'rate_limited' });
  const wanted = someone();
  for (let n = 0; n < 3; n++) await askEmailChange(await open(), wanted);
  await expect(askEmailChange(await open(), wanted)).rejects.toMatchObject({ code: 'rate_limited' });
});

test('without a mail server an operator issues the link, and the address stays unverified', async () => {
  Object.assign(env(), { SMTP_URL: undefined });
  const account = await open();
  await expect(askEmailChange(account, someone())).rejects.toMatchObject({ code: 'forbidden' });
  const email = someone();
  const { url } = await issueEmailLink(COMMAND_LINE, account.id, email);
  expect(await changeEmail(account.id, tokenOf(url), 'here')).toMatchObject({ email, emailVerifiedAt: null });
  for (const to of [email, account.email]) expect(sendMail).not.toHaveBeenCalledWith(expect.objectContaining({ to }));
  expect(await owedMails(account.email)).toEqual([]);
  expect((await listAudit({ accountId: account.id })).data.map(({ act }) => act)).toEqual([
    'account.email',
    'account.email_link',
  ]);
});

test('an address is verified by mailed links or by a provider, but not by links that an operator hands out', async () => {
  const account = await open();
  const { token } = await ask(account, account.email);
  expect(await changeEmail(account.id, token, 'here')).toMatchObject({ emailVerifiedAt: expect.any(Date) });
  expect(await owedMails(account.email)).toEqual([]);

  const fresh = someone();
  await askSignUp({ email: fresh }, newId());
  const invite = tokenOf(await mailTo(fresh));
  const joined = await signUp({ email: fresh, password: PASSWORD, invite }, newId());
  expect(await getAccount(joined.id)).toMatchObject({ emailVerifiedAt: expect.any(Date) });
  const handedOver = someone();
  const { url } = await createInvite({ email: handedOver });
  const invited = await signUp({ email: handedOver, password: PASSWORD, invite: tokenOf(url) }, newId());
  expect(await getAccount(invited.id)).toMatchObject({ emailVerifiedAt: null });

  const other = await open();
  await askPasswordReset({ email: other.email }, newId());
  await resetPassword(tokenOf(await mailTo(other.email)), 'another orchard', newId());
  expect(await getAccount(other.id)).toMatchObject({ emailVerifiedAt: expect.any(Date) });
  const byHand = await open();
  await resetPassword(tokenOf((await issueResetLink(COMMAND_LINE, byHand.id)).url), 'another orchard', newId());
  expect(await getAccount(byHand.id)).toMatchObject({ emailVerifiedAt: null });

  for (const emailVerified of [true, false]) {
    if (!emailVerified) Object.assign(env(), { SMTP_URL: undefined });
    const identity = { provider: 'oidc', subject: newId(), email: someone(), emailVerified, name: null } as const;
    const { id } = await signInWithIdentity(identity, null);
    expect((await getAccount(id)).emailVerifiedAt !== null).toBe(emailVerified);
  }
});
