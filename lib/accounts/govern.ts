import { and, eq, sql } from 'drizzle-orm';
import {
  findAccount,
  findAccountByEmail,
  getAccount,
  hasAccount,
  lockAccount,
  updateAccount,
  type Account,
} from '#lib/accounts/accounts';
import { recordAct, type Actor } from '#lib/accounts/audit';
import { parseInput } from '#lib/accounts/input';
import { createInvite, withdrawInvite } from '#lib/accounts/invites';
import { findGrant, grantGems, type LedgerRow } from '#lib/accounts/ledger';
import { requireAnotherOperator } from '#lib/accounts/operators';
import { makeEmailLink } from '#lib/accounts/email-change';
import { makeResetLink } from '#lib/accounts/password-reset';
import { removeSecondStep } from '#lib/accounts/second-step';
import { endSessions } from '#lib/accounts/sessions';
import { newInvite } from '#lib/contract/admin-schemas';
import { db, type Tx } from '#lib/db/client';
import { outbox } from '#lib/db/schema';
import { invalid } from '#lib/errors';

// what operators do to accounts; each act is written down in the transaction that does it

/** What an operator may change of an account. */
interface AccountPatch {
  operator?: boolean | undefined;
  disabled?: boolean | undefined;
  mayGenerate?: boolean | undefined;
  mayCreateCast?: boolean | undefined;
  inFlightLimit?: number | undefined;
  /** Gems that `manual` top-ups may book in a calendar month. */
  topUpLimit?: number | undefined;
}

/** Changes permissions and limits; they hold from the next request on. */
export async function changeAccount(actor: Actor, id: string, patch: AccountPatch): Promise<Account> {
  return await db().transaction(async tx => {
    if (patch.disabled === true || patch.operator === false) await guardOperator();
    const before = await lockAccount(id, tx);
    const { disabled, ...columns } = patch;
    if (disabled === false) await requireStaying(before, tx);
    const changed = {
      ...columns,
      // named at least once, for an empty patch
      id: before.id,
      ...(disabled !== undefined && { disabledAt: disabled ? (before.disabledAt ?? sql`now()`) : null }),
      ...(columns.inFlightLimit !== undefined && { limitedAt: sql`date_trunc('milliseconds', clock_timestamp())` }),
    };
    const after = await updateAccount(before.id, changed, tx);
    // whoever is let in again signs in again
    if (disabled) await endSessions(after.id, { tx });
    const changes = differences(before, after);
    if (changes)
      await recordAct(actor, { act: 'account.change', subject: after.email, accountId: after.id, ...changes }, tx);
    return after;

    async function guardOperator(): Promise<void> {
      const account = await findAccount(id, tx);
      if (account?.operator) await requireAnotherOperator(account.id, tx);
    }
  });
}

/** What its holder ended does not come back, half of it gone. */
async function requireStaying({ id, email }: Account, tx: Tx): Promise<void> {
  const [going] = await tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.consumer, 'accounts'), eq(outbox.subjectId, id)));
  if (!going) return;
  const message = `${email} was deleted by its holder and cannot be enabled: what is left of it is still being removed.`;
  throw invalid('invalid_request', [{ path: '/disabled', message }]);
}

const facts = ({ operator, disabledAt, mayGenerate, mayCreateCast, inFlightLimit, topUpLimit }: Account) => ({
  operator,
  disabled: disabledAt !== null,
  may_generate: mayGenerate,
  may_create_cast: mayCreateCast,
  in_flight_limit: inFlightLimit,
  top_up_limit: topUpLimit,
});

function differences(before: Account, after: Account) {
  const [old, current] = [facts(before), facts(after)];
  const changed = (Object.keys(old) as (keyof typeof old)[]).filter(name => old[name] !== current[name]);
  const pick = (from: typeof old) => Object.fromEntries(changed.map(name => [name, from[name]]));
  return changed.length > 0 && { before: pick(old), after: pick(current) };
}

/** A key that was used before gets the grant that was made first. */
export async function grantGemsAs(
  actor: Actor,
  id: string,
  grant: { gems: number; reason: string },
  key?: string,
): Promise<LedgerRow> {
  return await db().transaction(async tx => {
    const { email, balance } = await lockAccount(id, tx);
    // the account is held: whoever comes with the same key at the same time finds it here
    const earlier = key === undefined ? null : await findGrant(id, key, tx);
    if (earlier) return earlier;
    const row = await grantGems(id, { ...grant, kind: 'grant', key }, tx);
    const after = { balance: row.balanceAfter, ...grant };
    await recordAct(actor, { act: 'gems.grant', subject: email, accountId: id, before: { balance }, after }, tx);
    return row;
  });
}

/** A link with which the account chooses a new password. */
export async function issueResetLink(actor: Actor, id: string): Promise<{ url: string; expiresAt: Date }> {
  return await db().transaction(async tx => {
    const { email } = await lockAccount(id, tx);
    await recordAct(actor, { act: 'account.reset_link', subject: email, accountId: id }, tx);
    return await makeResetLink(id, { tx });
  });
}

/** A link with which the account takes another e-mail address: for a deployment that sends no mail. */
export async function issueEmailLink(
  actor: Actor,
  id: string,
  email: string,
): Promise<{ url: string; expiresAt: Date }> {
  return await db().transaction(async tx => {
    const account = await lockAccount(id, tx);
    const act = { act: 'account.email_link', subject: account.email, accountId: id, after: { email } };
    await recordAct(actor, act, tx);
    return await makeEmailLink(id, email, { tx });
  });
}

/** For whoever lost the app and the recovery codes, and showed the operator who they are. */
export async function dropSecondStepAs(actor: Actor, id: string): Promise<void> {
  const account = await getAccount(id);
  await removeSecondStep(account, ({ id: accountId, email }, tx) =>
    recordAct(actor, { act: 'account.second_step', subject: email, accountId, before: { second_step: true } }, tx),
  );
}

/** An invitation. Whoever has an account could never use one. */
export async function inviteAs(actor: Actor, input: { email?: string | null | undefined; days: number }) {
  const { email = null, days } = parseInput(newInvite, input);
  const after = { email, days };
  return await db().transaction(async tx => {
    if (email !== null && (await findAccountByEmail(email, tx))) throw hasAccount(email);
    await recordAct(actor, { act: 'invite.create', subject: email ?? 'anyone with the link', after }, tx);
    return await createInvite(after, tx);
  });
}

export async function withdrawInviteAs(actor: Actor, id: string): Promise<void> {
  await db().transaction(async tx => {
    const { email } = await withdrawInvite(id, tx);
    await recordAct(actor, { act: 'invite.withdraw', subject: email ?? 'anyone with the link' }, tx);
  });
}
