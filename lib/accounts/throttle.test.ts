import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { changeEmail } from '#lib/accounts/email-change';
import { sendMail } from '#lib/accounts/mail';
import { askPasswordReset, resetPassword } from '#lib/accounts/password-reset';
import { askSignUp, signUp } from '#lib/accounts/sign-up';
import { countAttempt } from '#lib/accounts/throttle';
import { topUp } from '#lib/accounts/top-up';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { newId } from '#lib/ids';
import { timesReached } from '#lib/limits';
import { singleton } from '#lib/singleton';
import { resendDelivery, sendTest } from '#lib/webhooks/deliveries';
import { createWebhook } from '#lib/webhooks/webhooks';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-throttle-'));
const FEW = [
  'LIMIT_TOP_UPS',
  'LIMIT_WEBHOOK_SENDS',
  'LIMIT_SIGN_UPS_PER_ADDRESS',
  'LIMIT_RESETS_PER_ADDRESS',
  'LIMIT_MAILS_PER_ACCOUNT',
] as const;
for (const name of FEW) process.env[name] = '2';
/** Limits of signed-in callers, refused with `too_many_requests`; the others are refused with `rate_limited`. */
const AFTER_SIGN_IN: readonly string[] = ['LIMIT_TOP_UPS', 'LIMIT_WEBHOOK_SENDS'];

const sender = { sendMail: vi.fn(async () => {}) };
singleton('accounts.mail', () => sender);

const openAccount = async () => (await createAccount({ email: `${newId()}@example.com` })).id;

/** For each limit, creates an act that one account or address repeats. */
const ACTS: Record<(typeof FEW)[number], () => Promise<() => Promise<unknown>>> = {
  LIMIT_TOP_UPS: async () => {
    const id = await openAccount();
    await pool().query('update accounts set top_up_limit = 1000 where id = $1', [id]);
    return async () => {
      const key = newId();
      await topUp(id, 1, key);
      // a repeated idempotency key does not count as another top-up
      await topUp(id, 1, key);
    };
  },
  LIMIT_WEBHOOK_SENDS: async () => {
    const id = await openAccount();
    const webhook = await createWebhook(id, { url: 'https://example.com/messages' });
    let sent: string | undefined;
    // sends a test message first, then resends the same message
    return async () => (sent ? resendDelivery(id, webhook.id, sent) : (sent = (await sendTest(id, webhook.id)).id));
  },
  LIMIT_SIGN_UPS_PER_ADDRESS: async () => {
    const address = newId();
    return () => signUp({ email: `${newId()}@example.com`, password: 'a quiet orchard' }, address);
  },
  LIMIT_RESETS_PER_ADDRESS: async () => {
    const address = newId();
    return () => resetPassword('no such link', 'a quiet orchard', address);
  },
  LIMIT_MAILS_PER_ACCOUNT: async () => {
    const to = `${newId()}@example.com`;
    return () => sendMail({ kind: 'key.create', to, subject: 'Your account at Pomona', text: 'It was changed.' });
  },
};

test.each(FEW)(
  '%s: the third attempt is refused and counted, while another account or address is still served',
  async name => {
    const code = AFTER_SIGN_IN.includes(name) ? 'too_many_requests' : 'rate_limited';
    const refused = { code, retryAfter: expect.any(Number) };
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => null,
        (error: { code: string }) => error.code,
      );
    const [act, other] = [await ACTS[name](), await ACTS[name]()];
    for (let n = 0; n < 2; n++) expect(await codeOf(act())).not.toBe(code);
    const met = timesReached(name);
    await expect(act()).rejects.toMatchObject(refused);
    expect(timesReached(name)).toBe(met + 1);
    expect(await codeOf(other())).not.toBe(code);
  },
);

test.each<[string, (email: string, address: string) => Promise<unknown>]>([
  ['links to an account', (email, address) => askSignUp({ email }, address)],
  ['links to a new password', (email, address) => askPasswordReset({ email }, address)],
  ['another e-mail address', (_, address) => changeEmail(newId(), 'no such link', address)],
])('a network address that requests %s, each time for another account, is refused the third time', async (_, ask) => {
  env().SMTP_URL = 'smtp://localhost';
  onTestFinished(() => void (env().SMTP_URL = undefined));
  const address = newId();
  const askAgain = () => ask(`${newId()}@example.com`, address);
  for (let n = 0; n < 2; n++) await askAgain().catch(({ code }) => expect(code).toBe('invalid_request'));
  await expect(askAgain()).rejects.toMatchObject({ code: 'rate_limited' });
});

test('an attempt that cannot be counted fails with the database error, not as rate-limited', async () => {
  const away = new Error('the database is away');
  const asked = vi.spyOn(pool(), 'query').mockRejectedValueOnce(away);
  onTestFinished(() => asked.mockRestore());
  await expect(countAttempt('LIMIT_TOP_UPS', newId())).rejects.toBe(away);
});

test('the rate limit for mails of one kind does not hold back mails of another kind', async () => {
  const to = `${newId()}@example.com`;
  const send = (kind: string) => sendMail({ kind, to, subject: 'Your account at Pomona', text: 'It was changed.' });
  for (let n = 0; n < 2; n++) await send('key.create');
  await expect(send('key.create')).rejects.toMatchObject({ code: 'rate_limited' });
  await expect(send('account.email')).resolves.toBeUndefined();
});

test('a mail that could not be sent does not count towards the limit', async () => {
  const mail = {
    kind: 'key.create',
    to: `${newId()}@example.com`,
    subject: 'Your account at Pomona',
    text: 'Changed.',
  };
  sender.sendMail.mockRejectedValueOnce(new Error('away'));
  await expect(sendMail(mail)).rejects.toThrow('away');
  for (let n = 0; n < 2; n++) await sendMail(mail);
  await expect(sendMail(mail)).rejects.toMatchObject({ code: 'rate_limited' });
});
