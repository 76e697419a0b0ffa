import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { COMMAND_LINE } from '#lib/accounts/audit';
import { inviteAs, issueResetLink } from '#lib/accounts/govern';
import { askPasswordReset, resetPassword } from '#lib/accounts/password-reset';
import { changePassword, findPasswordHash, setPassword, signInWithPassword } from '#lib/accounts/sign-ins';
import { signUp } from '#lib/accounts/sign-up';
import { authOptions } from '#lib/auth/options';
import { findSessionByCookies } from '#lib/auth/session';
import { beginSession, sessionSecret } from '#lib/auth/session-token';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { errorResponse } from '#lib/http/error-response';
import { logOptions } from '#lib/log';
import { singleton } from '#lib/singleton';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-secrecy-'));

const lines: string[] = [];
singleton('log', () => pino({ ...logOptions, level: 'trace' }, { write: (line: string) => void lines.push(line) }));
const sendMail = vi.fn(async (_mail: { text: string }) => {
  throw new Error('the mail server refused');
});
singleton('accounts.mail', () => ({ sendMail }));

const PASSWORD = 'a quiet orchard';
const tokenOf = (url: string): string => String(new URL(url).search.split('=')[1]);

test('no log line shows a password, its hash, a session, a link or a secret when operations fail', async () => {
  Object.assign(env(), { SMTP_URL: 'smtp://ada:mail-secret@localhost' });
  const account = await createAccount({ email: 'ada@example.com' });
  await setPassword(account, PASSWORD);
  const browser = { headers: {}, address: 'here' };
  const hash = String(await findPasswordHash(account.id));
  const cookie = String((await beginSession(account.id, browser))[0]?.split(';')[0]);
  const reset = tokenOf((await issueResetLink(COMMAND_LINE, account.id)).url);
  const invite = tokenOf((await inviteAs(COMMAND_LINE, { days: 1 })).url);
  const acts = [
    () => signInWithPassword({ email: account.email, password: PASSWORD }, { address: 'here' }, async it => it),
    () => changePassword(account, PASSWORD, `${PASSWORD} again`, { signedInAt: new Date() }),
    () => signUp({ email: 'new@example.com', password: PASSWORD, invite }, 'here'),
    () => resetPassword(reset, PASSWORD, 'here'),
    () => findSessionByCookies(cookie),
    () => beginSession(account.id, { headers: { cookie }, address: 'here' }),
  ];
  await askPasswordReset({ email: account.email }, 'here');
  await vi.waitFor(() => expect(lines.join()).toContain('mail not sent'), 30_000);
  const mailed = /token=(\w+)/.exec(String(sendMail.mock.calls[0]?.[0].text))?.[1];
  for (const table of ['accounts', 'sign_ins', 'secret_links', 'sessions']) {
    await pool().query(`alter table ${table} rename to hidden`);
    for (const act of acts) await act().catch((error: unknown) => errorResponse(error, 'request'));
    await pool().query(`alter table hidden rename to ${table}`);
  }
  const { logger } = authOptions(browser, null);
  logger?.error?.('OAUTH_CALLBACK_ERROR', Object.assign(new Error('refused'), { client_secret: 'provider-secret' }));

  expect(lines.length).toBeGreaterThan(10);
  expect(lines.join()).toContain('sign_ins');
  const secrets = [PASSWORD, hash, hash.slice(-20), cookie.slice(-40), reset, invite, mailed, sessionSecret()];
  for (const secret of [...secrets, '$argon2id$', 'mail-secret', 'provider-secret']) {
    expect(secret).toBeTruthy();
    expect(lines.filter(line => line.includes(String(secret)))).toEqual([]);
  }
});
