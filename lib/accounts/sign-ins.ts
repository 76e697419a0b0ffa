import { and, eq, sql } from 'drizzle-orm';
import type { Account } from '#lib/accounts/accounts';
import { noteHolderAct, type Holder } from '#lib/accounts/holder-acts';
import { findDevice } from '#lib/accounts/known-device';
import { hashPassword, requireGoodPassword, verifyPassword } from '#lib/accounts/passwords';
import { requireRecentSignIn } from '#lib/accounts/recent-sign-in';
import { findStep, passSecondStep } from '#lib/accounts/second-step-codes';
import { spendLinksOf } from '#lib/accounts/secret-links';
import { endSessions } from '#lib/accounts/sessions';
import { countAttempt, forgetAttempts, forgiveAttempt, type AttemptLimit } from '#lib/accounts/throttle';
import { SIGN_IN_REFUSALS } from '#lib/contract/sign-in-refusals';
import { db, type Tx } from '#lib/db/client';
import { holdAccount } from '#lib/db/hold-account';
import { accounts, signIns } from '#lib/db/schema';
import { now } from '#lib/db/schema/columns';
import { AppError, invalid } from '#lib/errors';
import { newId } from '#lib/ids';

export type SignIn = typeof signIns.$inferSelect;

/** Origin of a sign-in. */
interface Origin {
  address: string;
  /** Device token of a browser that has signed in before. */
  device?: string | null;
}

/**
 * Verifies an e-mail address and password, then returns the result of `begin`; null when only the code of the second
 * step is missing. Throws `unauthorized`, the same way and after the same time whether the address or the password is
 * wrong, and `rate_limited`.
 */
export async function signInWithPassword<T>(
  { email, password, code }: { email: string; password: string; code?: string | undefined },
  { address, device: token = null }: Origin,
  begin: (account: Account, tx: Tx) => Promise<T>,
): Promise<T | null> {
  const [found] = await db()
    .select({ account: accounts, hash: signIns.passwordHash })
    .from(accounts)
    .leftJoin(signIns, and(eq(signIns.accountId, accounts.id), eq(signIns.provider, 'password')))
    .where(sql`lower(${accounts.email}) = lower(${email.trim()})`);
  const device = found && token ? findDevice(token, found.account.id) : null;
  const counted = attemptsOf(email, address, device);
  for (const [limit, who] of counted) await countAttempt(limit, who);
  const right = await verifyPassword(found?.hash ?? null, password);
  if (!found || !right) throw wrong();
  await Promise.all(
    counted.map(([limit, who]) =>
      limit === 'LIMIT_PASSWORDS_PER_ADDRESS' ? forgiveAttempt(limit, who) : forgetAttempts(limit, who),
    ),
  );
  const { account, hash } = found;
  requireEnabled(account);
  if (!(await passSecondStep(account.id, code))) return null;
  return await db().transaction(async tx => {
    if (!(await holdPassword(account.id, hash, tx))) throw wrong();
    await noteSignIn('password', account.id, tx);
    return await begin(account, tx);
  });
}

const wrong = () => new AppError('unauthorized', 'The e-mail address or the password is wrong.');

/**
 * Returns the limits that an attempt counts against. Guessing from elsewhere must not lock the owner out: each address
 * has its own attempts, all addresses together have many more, and known devices are counted separately. They too have
 * a limit together, because each sign-in makes one: whoever knew an earlier password may have any number of them.
 */
const attemptsOf = (email: string, address: string, device: string | null): [AttemptLimit, string][] =>
  device
    ? [
        ['LIMIT_PASSWORDS', `device ${device}`],
        ['LIMIT_PASSWORDS_PER_ACCOUNT', `devices ${email}`],
      ]
    : [
        ['LIMIT_PASSWORDS_PER_ADDRESS', address],
        ['LIMIT_PASSWORDS', `${address} ${email}`],
        ['LIMIT_PASSWORDS_PER_ACCOUNT', email],
      ];

/**
 * Requires the account's password for a sensitive act, with attempts counted like those of a sign-in. An account
 * without a password, or with a second step, must have signed in recently. Returns the hash that the password matched;
 * null without a password. `field` is the JSON pointer that a refusal names.
 */
export async function requirePassword(
  account: Holder,
  password: string | undefined,
  session: { signedInAt: Date },
  field = '/password',
): Promise<string | null> {
  const stored = await findPasswordHash(account.id);
  // the session that a new password begins counts as recent, so the password alone could remove the second step
  if (stored === null || (await findStep(account.id))?.confirmedAt) requireRecentSignIn(session);
  if (stored === null) return null;
  // the caller is signed in, so these attempts are counted apart from those of sign-ins
  const who = `session ${account.id}`;
  await countAttempt('LIMIT_PASSWORDS', who);
  if (!(await verifyPassword(stored, password ?? ''))) throw notCurrent(field);
  await forgetAttempts('LIMIT_PASSWORDS', who);
  return stored;
}

const notCurrent = (path: string) => invalid('invalid_request', [{ path, message: 'The current password is wrong.' }]);

export async function findPasswordHash(accountId: string): Promise<string | null> {
  const [row] = await selectPassword(accountId, db());
  return row?.hash ?? null;
}

const selectPassword = (accountId: string, tx: Tx) =>
  tx
    .select({ hash: signIns.passwordHash })
    .from(signIns)
    .where(and(eq(signIns.accountId, accountId), eq(signIns.provider, 'password')));

/**
 * Whether the password still has this hash. Locks the password until the transaction ends: changing it ends all
 * sessions, including one that is just being opened with the old password.
 */
async function holdPassword(accountId: string, hash: string | null, tx: Tx): Promise<boolean> {
  await holdAccount(accountId, tx);
  const [row] = await selectPassword(accountId, tx).for('update');
  return (row?.hash ?? null) === hash;
}

/** Sets the password of an account. Ends its sessions and uses up its links. */
export async function setPassword(account: Holder, password: string, tx: Tx = db()): Promise<void> {
  requireGoodPassword(password, account.email);
  const passwordHash = await hashPassword(password);
  await tx.transaction(async tx => {
    await holdAccount(account.id, tx);
    await tx
      .insert(signIns)
      .values({ id: newId(), accountId: account.id, provider: 'password', subject: account.id, passwordHash })
      .onConflictDoUpdate({ target: [signIns.provider, signIns.subject], set: { passwordHash } });
    await spendLinksOf(account.id, tx);
    await endSessions(account.id, { tx });
  });
}

/** Changes the password after verifying the current one, if any. Ends all sessions and notifies the holder. */
export async function changePassword(
  account: Account,
  current: string | undefined,
  password: string,
  session: { signedInAt: Date },
): Promise<void> {
  const field = '/current_password';
  const hash = await requirePassword(account, current, session, field);
  await db().transaction(async tx => {
    if (!(await holdPassword(account.id, hash, tx))) throw notCurrent(field);
    await setPassword(account, password, tx);
    await noteHolderAct(account, { act: 'password.change', sentence: 'The password of your account was changed.' }, tx);
  });
}

/** Lists the ways to sign in to an account, oldest first. */
export const listSignIns = (accountId: string): Promise<SignIn[]> =>
  db().select().from(signIns).where(eq(signIns.accountId, accountId)).orderBy(signIns.id);

export function requireEnabled({ disabledAt }: Account): void {
  if (disabledAt) throw new AppError('forbidden', SIGN_IN_REFUSALS.disabled);
}

export async function noteSignIn(provider: SignIn['provider'], subject: string, tx: Tx = db()): Promise<void> {
  await tx
    .update(signIns)
    .set({ lastUsedAt: now })
    .where(and(eq(signIns.provider, provider), eq(signIns.subject, subject)));
}
