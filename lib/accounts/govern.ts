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

// acts of operators on accounts; each act is recorded in the audit log, in the transaction that performs it

/** Properties of an account that an operator may change. */
interface AccountPatch {
  operator?: boolean | undefined;
  disabled?: boolean | undefined;
  mayGenerate?: boolean | undefined;
  mayCreateCast?: boolean | undefined;
  inFlightLimit?: number | undefined;
  /** Maximum number of gems that `manual` top-ups may book in a calendar month. */
  topUpLimit?: number | undefined;
}

/** Changes permissions and limits. They take effect with the next request. */
export async function changeAccount(actor: Actor, id: string, patch: AccountPatch): Promise<Account> {
  return await db().transaction(async tx => {
    if (patch.disabled === true || patch.operator === false) await guardOperator();
    const before = await lockAccount(id, tx);
    const { disabled, ...columns } = patch;
    if (disabled === false) await requireStaying(before, tx);
    const changed = {
      ...columns,
      // an update needs at least one column, even for an empty patch
      id: before.id,
      ...(disabled !== undefined && { disabledAt: disabled ? (before.disabledAt ?? sql`now()`) : null }),
      ...(columns.inFlightLimit !== undefined && { limitedAt: sql`date_trunc('milliseconds', clock_timestamp())` }),
    };
    const after = await updateAccount(before.id, changed, tx);
    // sessions do not survive: the holder must sign in again once the account is enabled
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

/** Throws when the holder deleted the account. It cannot be enabled again, as its data may be partly deleted. */
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

/** Grants gems. Returns the first grant when the idempotency key was used before. */
export async function grantGemsAs(
  actor: Actor,
  id: string,
  grant: { gems: number; reason: string },
  key?: string,
): Promise<LedgerRow> {
  return await db().transaction(async tx => {
    const { email, balance } = await lockAccount(id, tx);
    // the account is locked, so a concurrent request with the same key finds the grant here
    const earlier = key === undefined ? null : await findGrant(id, key, tx);
    if (earlier) return earlier;
    const row = await grantGems(id, { ...grant, kind: 'grant', key }, tx);
    const after = { balance: row.balanceAfter, ...grant };
    await recordAct(actor, { act: 'gems.grant', subject: email, accountId: id, before: { balance }, after }, tx);
    return row;
  });
}

/** Issues a link with which the holder of an account chooses a new password. */
export async function issueResetLink(actor: Actor, id: string): Promise<{ url: string; expiresAt: Date }> {
  return await db().transaction(async tx => {
    const { email } = await lockAccount(id, tx);
    await recordAct(actor, { act: 'account.reset_link', subject: email, accountId: id }, tx);
    return await makeResetLink(id, { tx });
  });
}

/** Issues a link that changes the e-mail address of an account, for deployments that send no mail. */
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

/** Removes the second step for a holder who lost the app and the recovery codes and proved their identity. */
export async function dropSecondStepAs(actor: Actor, id: string): Promise<void> {
  const account = await getAccount(id);
  await removeSecondStep(account, ({ id: accountId, email }, tx) =>
    recordAct(actor, { act: 'account.second_step', subject: email, accountId, before: { second_step: true } }, tx),
  );
}

/** Creates an invitation. Refuses an address that has an account, since the invitation could never be used. */
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
