import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { URI, type TOTP } from 'otpauth';
import { beforeEach, expect, test, vi } from 'vitest';
import { createAccount, findAccountByEmail, getAccount } from '#lib/accounts/accounts';
import { COMMAND_LINE, listAudit } from '#lib/accounts/audit';
import { askEmailChange, makeEmailLink } from '#lib/accounts/email-change';
import { changeAccount, issueResetLink } from '#lib/accounts/govern';
import { signInWithIdentity, type Identity } from '#lib/accounts/identities';
import { createInvite, listInvites, withdrawInvite } from '#lib/accounts/invites';
import { makeDeviceToken } from '#lib/accounts/known-device';
import { askPasswordReset, makeResetLink, resetPassword } from '#lib/accounts/password-reset';
import { beginSecondStep, confirmSecondStep, readSecondStep } from '#lib/accounts/second-step';
import { listSessions } from '#lib/accounts/sessions';
import { changePassword, listSignIns, signInWithPassword } from '#lib/accounts/sign-ins';
import { askSignUp, signUp } from '#lib/accounts/sign-up';
import { countAttempt } from '#lib/accounts/throttle';
import { beginSession } from '#lib/auth/session-token';
import { SIGN_IN_REFUSALS } from '#lib/contract/sign-in-refusals';
import { owedMails } from '#lib/accounts/test-mails';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { newId } from '#lib/ids';
import { singleton } from '#lib/singleton';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-sign-up-'));
const PASSWORD = 'a quiet orchard';
const mails: { to: string; text: string }[] = [];
const mailed = vi.fn();
singleton('accounts.mail', () => ({
  sendMail: async (mail: { to: string; text: string }) => {
    mails.push(mail);
    mailed();
  },
}));

beforeEach(() => {
  Object.assign(env(), { SIGN_UP: 'open', SMTP_URL: undefined });
  mails.length = 0;
  mailed.mockClear();
});

const someone = (): string => `${newId()}@example.com`;
const enter = (fields: { email?: string; password?: string; invite?: string } = {}) =>
  signUp({ email: someone(), password: PASSWORD, ...fields }, newId());
const tokenOf = (url: string) => String(new URL(url).search.split('=')[1]);

test('open sign-up accepts anyone with a valid password and an unused e-mail address', async () => {
  const account = await enter();
  expect(account).toMatchObject({ operator: false, balance: 1000 });
  const credentials = { email: account.email, password: PASSWORD };
  expect(await signInWithPassword(credentials, { address: 'here' }, async ({ id }) => id)).toBe(account.id);
  expect(await listSignIns(account.id)).toMatchObject([{ provider: 'password', lastUsedAt: expect.any(Date) }]);
  await expect(enter({ email: account.email })).rejects.toMatchObject({ code: 'invalid_request' });
  const email = 'long-address@example.com';
  await expect(enter({ email, password: email.toUpperCase() })).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await findAccountByEmail(email)).toBeNull();
});

test('a sign-up with a taken address is refused without saying that an account exists', async () => {
  const { email } = await enter();
  const refused = await enter({ email: email.toUpperCase() }).catch((error: Error) => error);
  expect(refused).toMatchObject({ code: 'invalid_request', message: expect.not.stringContaining('exist') });
});

test('with a mail server, sign-up requires the mailed link, and the response does not reveal existing accounts', async () => {
  Object.assign(env(), { SMTP_URL: 'smtp://localhost' });
  const [known, fresh] = [await createAccount({ email: someone() }), someone()];
  await expect(enter({ email: fresh })).rejects.toMatchObject({ code: 'forbidden' });
  mailed.mockClear();
  const next = '/oauth/consent/x';
  expect(await askSignUp({ email: known.email.toUpperCase(), next }, newId())).toEqual(
    await askSignUp({ email: fresh, next }, newId()),
  );
  await vi.waitFor(() => expect(mailed).toHaveBeenCalledTimes(2), 30_000);
  const textTo = (email: string) => String(mails.find(({ to }) => to === email)?.text);
  expect(textTo(known.email)).toContain('There is already an account');
  const invite = /invite=(\w+)/.exec(textTo(fresh))?.[1];
  // both mails lead on to the page that was requested first
  for (const email of [known.email, fresh]) expect(textTo(email)).toMatch(/[?&]next=%2Foauth%2Fconsent%2Fx\n/);
  expect(await enter({ email: fresh, invite: String(invite) })).toMatchObject({ email: fresh });
  for (let n = 0; n < 2; n++) await askSignUp({ email: fresh }, newId());
  await expect(askSignUp({ email: fresh }, newId())).rejects.toMatchObject({ code: 'rate_limited' });
  Object.assign(env(), { SIGN_UP: 'invite' });
  await expect(askSignUp({ email: someone() }, newId())).rejects.toMatchObject({ code: 'forbidden' });
});

test('a sign-up link that a user requested is neither listed nor withdrawn as an invitation', async () => {
  Object.assign(env(), { SMTP_URL: 'smtp://localhost' });
  const email = someone();
  await askSignUp({ email }, newId());
  await vi.waitFor(() => expect(mails.map(({ to }) => to)).toContain(email), 30_000);
  expect((await listInvites()).data.filter(invite => invite.email === email)).toEqual([]);
  const { rows } = await pool().query('select id from secret_links where email = $1', [email]);
  await expect(withdrawInvite(rows[0].id)).rejects.toMatchObject({ code: 'not_found' });
});

test.each(['invite', 'closed'] as const)(
  'sign-up with the policy %s requires an invitation, which works once',
  async policy => {
    Object.assign(env(), { SIGN_UP: policy });
    await expect(enter()).rejects.toMatchObject({ code: 'forbidden' });
    const invite = tokenOf((await createInvite({})).url);
    const joined = await Promise.allSettled([enter({ invite }), enter({ invite }), enter({ invite })]);
    expect(joined.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(enter({ invite })).rejects.toMatchObject({ code: 'forbidden' });
  },
);

test('an invitation for an address works for no other address, expires, and can be withdrawn', async () => {
  Object.assign(env(), { SIGN_UP: 'invite' });
  const email = someone();
  const invite = tokenOf((await createInvite({ email })).url);
  await expect(enter({ invite })).rejects.toMatchObject({ code: 'forbidden' });
  await enter({ invite, email: email.toUpperCase() });
  const old = await createInvite({});
  await pool().query(`update secret_links set expires_at = now() - interval '1 second' where id = $1`, [old.id]);
  await expect(enter({ invite: tokenOf(old.url) })).rejects.toMatchObject({ code: 'forbidden' });
  const unwanted = await createInvite({ email });
  await withdrawInvite(unwanted.id);
  await expect(enter({ invite: tokenOf(unwanted.url) })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(withdrawInvite(unwanted.id)).rejects.toMatchObject({ code: 'not_found' });
  const used = (await listInvites()).data.find(({ usedAt }) => usedAt)!;
  await expect(withdrawInvite(used.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('a refused sign-up does not use up its invitation', async () => {
  Object.assign(env(), { SIGN_UP: 'invite' });
  const invite = tokenOf((await createInvite({})).url);
  const taken = await createAccount({ email: someone() });
  await expect(enter({ invite, email: taken.email })).rejects.toMatchObject({ code: 'invalid_request' });
  await enter({ invite });
});

const identity = (fields: Partial<Identity> = {}): Identity => ({
  provider: 'oidc',
  subject: newId(),
  email: someone(),
  emailVerified: true,
  name: 'Ada',
  ...fields,
});

test('an identity opens an account, signs in to it again, and can be linked to a signed-in account', async () => {
  const ada = identity();
  const opened = await signInWithIdentity(ada, null);
  expect(opened).toMatchObject({ email: ada.email, name: 'Ada' });
  expect(await signInWithIdentity({ ...ada, email: someone() }, null)).toEqual(opened);
  const other = identity({ provider: 'github', email: null });
  const signedIn = { accountId: opened.id, signedInAt: new Date() };
  const longAgo = { ...signedIn, signedInAt: new Date(Date.now() - 3_600_000) };
  await expect(signInWithIdentity(other, longAgo)).rejects.toMatchObject({ code: 'sign_in_again' });
  expect(await signInWithIdentity(other, signedIn)).toEqual(opened);
  expect(await signInWithIdentity(other, null)).toEqual(opened);
  expect((await listSignIns(opened.id)).map(({ provider }) => provider)).toEqual(['oidc', 'github']);
  await changeAccount(COMMAND_LINE, opened.id, { disabled: true });
  await expect(signInWithIdentity(ada, null)).rejects.toMatchObject({ code: 'forbidden' });
});

test('an identity of another account is refused while a user is signed in, recently or not', async () => {
  const [ada, grace] = [identity(), identity()];
  const { id } = await signInWithIdentity(ada, null);
  const other = await signInWithIdentity(grace, null);
  const signedIn = { accountId: id, signedInAt: new Date() };
  for (const signedInAt of [new Date(), new Date(0)])
    await expect(signInWithIdentity(grace, { ...signedIn, signedInAt })).rejects.toMatchObject({
      message: SIGN_IN_REFUSALS.other_account,
    });
  expect((await signInWithIdentity(ada, { ...signedIn, signedInAt: new Date(0) })).id).toBe(id);
  expect((await signInWithIdentity(grace, null)).id).toBe(other.id);
  expect(await listSignIns(id)).toHaveLength(1);
});

test('an identity cannot enter an account by its address alone, or open one uninvited unless sign-up is open', async () => {
  const { email } = await enter();
  await expect(signInWithIdentity(identity({ email }), null)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(signInWithIdentity(identity({ email: null }), null)).rejects.toMatchObject({ code: 'forbidden' });
  Object.assign(env(), { SIGN_UP: 'invite' });
  const invited = identity({ emailVerified: false });
  await createInvite({ email: invited.email });
  await expect(signInWithIdentity(invited, null)).rejects.toMatchObject({ code: 'forbidden' });
  await signInWithIdentity({ ...invited, emailVerified: true }, null);
  const late = identity();
  await createInvite({ email: late.email, days: 0 });
  await expect(signInWithIdentity(late, null)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(signInWithIdentity(identity(), null)).rejects.toMatchObject({ code: 'forbidden' });
  // a link that changes an account's address is not an invitation
  const taker = await createAccount({ email: someone() });
  const wanted = identity();
  await makeEmailLink(taker.id, wanted.email!);
  await expect(signInWithIdentity(wanted, null)).rejects.toMatchObject({ code: 'forbidden' });
});

test('an identity with an unverified address opens an account only when no mail server is configured', async () => {
  Object.assign(env(), { SMTP_URL: 'smtp://localhost' });
  const ada = identity({ emailVerified: false });
  await expect(signInWithIdentity(ada, null)).rejects.toMatchObject({ message: SIGN_IN_REFUSALS.unverified });
  await createInvite({ email: ada.email });
  await expect(signInWithIdentity(ada, null)).rejects.toMatchObject({ code: 'forbidden' });
  const { id } = await signInWithIdentity({ ...ada, emailVerified: true }, null);
  Object.assign(env(), { SMTP_URL: undefined });
  expect((await signInWithIdentity({ ...ada, emailVerified: false }, null)).id).toBe(id);
  await signInWithIdentity(identity({ emailVerified: false }), null);
});

test('the first mailed reset of an unverified address removes other sign-ins and the second step; later ones do not', async () => {
  const squatter = identity({ emailVerified: false });
  const account = await signInWithIdentity(squatter, null);
  const other = await signInWithIdentity(identity(), null);
  const { id, email } = account;
  const addSecondStep = async (to: typeof account) => {
    const app = URI.parse((await beginSecondStep(to)).uri) as TOTP;
    await confirmSecondStep(to, app.generate());
  };
  await addSecondStep(account);
  await addSecondStep(other);
  Object.assign(env(), { SMTP_URL: 'smtp://localhost' });
  const reset = async (mailed = true) => {
    const { url } = await makeResetLink(id, { mailed });
    await resetPassword(tokenOf(url), 'another orchard', newId());
    return (await listSignIns(id)).map(({ provider }) => provider);
  };
  // a link that an operator handed out does not verify the address
  expect(await reset(false)).toEqual(['oidc', 'password']);
  expect(await readSecondStep(id)).not.toBeNull();
  expect(await reset()).toEqual(['password']);
  expect(await readSecondStep(id)).toBeNull();
  expect(await listSignIns(other.id)).toHaveLength(1);
  expect(await readSecondStep(other.id)).not.toBeNull();
  await expect(signInWithIdentity(squatter, null)).rejects.toMatchObject({ code: 'forbidden' });
  const told = async () => (await owedMails(email)).filter(({ text }) => text.includes('were removed'));
  expect(await told()).toHaveLength(1);
  await signInWithIdentity(identity({ email: null }), { accountId: id, signedInAt: new Date() });
  await addSecondStep(account);
  expect(await reset()).toEqual(['password', 'oidc']);
  expect(await readSecondStep(id)).not.toBeNull();
  expect(await told()).toHaveLength(1);
});

test('a reset link sets a new password once, and ends sessions and other reset links', async () => {
  const account = await enter();
  const [one, two] = [await issueResetLink(COMMAND_LINE, account.id), await issueResetLink(COMMAND_LINE, account.id)];
  await expect(resetPassword(tokenOf(one.url), 'short', 'here')).rejects.toMatchObject({ code: 'invalid_request' });
  await beginSession(account.id, { headers: {}, address: 'here' });
  await resetPassword(tokenOf(one.url), 'another orchard', 'here');
  expect(await listSessions(account.id)).toEqual([]);
  expect((await listAudit({ accountId: account.id })).data[0]).toMatchObject({ act: 'password.reset' });
  for (const { url } of [one, two]) {
    await expect(resetPassword(tokenOf(url), 'third orchard', 'here')).rejects.toMatchObject({
      code: 'invalid_request',
    });
  }
  const signIn = (password: string) =>
    signInWithPassword({ email: account.email, password }, { address: newId() }, async it => it);
  await expect(signIn(PASSWORD)).rejects.toMatchObject({ code: 'unauthorized' });
  await signIn('another orchard');
});

test('a password reset link is valid for an hour, an e-mail change link for a day', async () => {
  const { id } = await enter();
  const minutesOf = ({ expiresAt }: { expiresAt: Date }) => Math.round((expiresAt.getTime() - Date.now()) / 60_000);
  expect(minutesOf(await issueResetLink(COMMAND_LINE, id))).toBe(60);
  expect(minutesOf(await makeEmailLink(id, someone()))).toBe(24 * 60);
});

test('a user blocked by too many wrong passwords can sign in after a password reset', async () => {
  const { id, email } = await enter();
  for (const who of [email, `devices ${email}`])
    for (let n = 0; n < 100; n++) await countAttempt('LIMIT_PASSWORDS_PER_ACCOUNT', who);
  const signIn = (device: string | null) =>
    signInWithPassword({ email, password: 'another orchard' }, { address: newId(), device }, async it => it);
  const devices = [null, makeDeviceToken(id)];
  for (const device of devices) await expect(signIn(device)).rejects.toMatchObject({ code: 'rate_limited' });
  await resetPassword(tokenOf((await issueResetLink(COMMAND_LINE, id)).url), 'another orchard', newId());
  for (const device of devices) await signIn(device);
});

test('sign-up and address-change requests for an address do not use up its limit of password resets', async () => {
  Object.assign(env(), { SMTP_URL: 'smtp://localhost' });
  const { email } = await createAccount({ email: someone() });
  for (let n = 0; n < 3; n++) {
    await askSignUp({ email }, newId());
    await askEmailChange(await createAccount({ email: someone() }), email);
  }
  await expect(askSignUp({ email }, newId())).rejects.toMatchObject({ code: 'rate_limited' });
  await askPasswordReset({ email }, newId());
  await vi.waitFor(() => expect(mails.find(({ text }) => text.includes('/reset-password?'))?.to).toBe(email), 30_000);
});

test('a reset link of a disabled account is refused', async () => {
  const account = await enter();
  const { url } = await issueResetLink(COMMAND_LINE, account.id);
  await changeAccount(COMMAND_LINE, account.id, { disabled: true });
  await expect(resetPassword(tokenOf(url), 'another orchard', 'here')).rejects.toMatchObject({ code: 'forbidden' });
});

test('changing the password ends the reset links', async () => {
  const account = await enter();
  const { url } = await issueResetLink(COMMAND_LINE, account.id);
  await changePassword(account, PASSWORD, 'another orchard', { signedInAt: new Date() });
  await expect(resetPassword(tokenOf(url), 'third orchard', 'here')).rejects.toMatchObject({ code: 'invalid_request' });
});

test.each([
  ['a NUL', 'a\0b'],
  ['a line break', 'a\nb'],
  ['a lone surrogate', 'a\ud800'],
  ['nothing', ''],
  ['a length that no id has', 'x'.repeat(300)],
])('an identity subject with %s is refused', async (_, subject) => {
  await expect(signInWithIdentity(identity({ subject }), null)).rejects.toMatchObject({ code: 'forbidden' });
});

test('an invalid name of an identity is left out, and an invalid address opens no account', async () => {
  expect(await signInWithIdentity(identity({ name: 'A\0da' }), null)).toMatchObject({ name: null });
  await expect(signInWithIdentity(identity({ email: 'a\0@b.c' }), null)).rejects.toMatchObject({ code: 'forbidden' });
});

test('a name of an identity that is too long is cut between two characters', async () => {
  const named = await signInWithIdentity(identity({ name: `${'x'.repeat(99)}🍊` }), null);
  expect((await getAccount(named.id)).name).toBe('x'.repeat(99));
});

test('password resets are mailed only to enabled accounts, at most three an hour, and only with a mail server', async () => {
  await expect(askPasswordReset({ email: someone() }, newId())).rejects.toMatchObject({ code: 'forbidden' });
  const [account, disabled] = [await enter(), await enter()];
  await changeAccount(COMMAND_LINE, disabled.id, { disabled: true });
  Object.assign(env(), { SMTP_URL: 'smtp://localhost' });
  for (const email of [someone(), disabled.email]) await askPasswordReset({ email }, newId());
  await askPasswordReset({ email: account.email.toUpperCase(), next: '/matrix?x=1' }, newId());
  await vi.waitFor(() => expect(mailed).toHaveBeenCalled(), 30_000);
  expect(mails).toMatchObject([
    { to: account.email, text: expect.stringMatching(/\/reset-password\?token=\w+&next=%2Fmatrix%3Fx%3D1\n/) },
  ]);
  await askPasswordReset({ email: account.email }, newId());
  await askPasswordReset({ email: account.email }, newId());
  await expect(askPasswordReset({ email: account.email }, newId())).rejects.toMatchObject({ code: 'rate_limited' });
});
