import { and, eq, isNull, sql } from 'drizzle-orm';
import { noteHolderAct, type Holder } from '#lib/accounts/holder-acts';
import { allCodes, appOf, findStep, recoveryCodesOf, requireCode, takeAppCode } from '#lib/accounts/second-step-codes';
import { db, type Tx } from '#lib/db/client';
import { secondSteps } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { newId } from '#lib/ids';

// the second step after a password: codes of an app (RFC 6238), and recovery codes in case the app is lost

export interface SecondStepState {
  since: Date;
  /** Number of unused recovery codes. */
  recoveryLeft: number;
}

/** Starts setting up a second step, to be confirmed with a code of the app. Replaces an unconfirmed one. */
export async function beginSecondStep({ id: accountId, email }: Holder): Promise<{ secret: string; uri: string }> {
  const [begun] = await db()
    .insert(secondSteps)
    .values({ accountId, id: newId() })
    .onConflictDoUpdate({
      target: secondSteps.accountId,
      set: { id: sql`excluded.id` },
      setWhere: isNull(secondSteps.confirmedAt),
    })
    .returning();
  if (!begun)
    throw new AppError('invalid_request', 'The second step is already on. Turn it off before you set up another.');
  const app = appOf(begun, email);
  return { secret: app.secret.base32, uri: app.toString() };
}

/** Turns the second step on with a code of the app. Returns the recovery codes, which are shown only this once. */
export async function confirmSecondStep(account: Holder, code: string): Promise<string[]> {
  const step = await findStep(account.id);
  if (!step) throw new AppError('invalid_request', 'Start setting up the second step first.');
  // the response with the recovery codes may have been lost
  if (step.confirmedAt)
    throw new AppError(
      'invalid_request',
      'The second step is on. If you do not have its recovery codes, make new ones.',
    );
  await requireCode(step, code, takeAppCode);
  return await db().transaction(async tx => {
    const [confirmed] = await tx
      .update(secondSteps)
      .set({ confirmedAt: sql`now()`, recoveryLeft: allCodes() })
      .where(and(eq(secondSteps.id, step.id), isNull(secondSteps.confirmedAt)))
      .returning({ id: secondSteps.id });
    // otherwise the response would show codes of a second step that is not on, and a mail would be sent
    if (!confirmed) throw new AppError('invalid_request', 'The second step was changed meanwhile. Reload the page.');
    const sentence = 'A second step was turned on for signing in with your password.';
    await noteHolderAct(account, { act: 'second_step.add', sentence }, tx);
    return recoveryCodesOf(step);
  });
}

/** Replaces the recovery codes; the old ones stop working. */
export async function renewRecoveryCodes(account: Holder): Promise<string[]> {
  return await db().transaction(async tx => {
    const [step] = await tx
      .update(secondSteps)
      .set({ recoveryEdition: sql`${secondSteps.recoveryEdition} + 1`, recoveryLeft: allCodes() })
      .where(and(eq(secondSteps.accountId, account.id), sql`${secondSteps.confirmedAt} is not null`))
      .returning();
    if (!step) throw new AppError('not_found', 'The second step is not on.');
    const sentence = 'New recovery codes were made for your account.';
    await noteHolderAct(account, { act: 'second_step.renew', sentence }, tx);
    return recoveryCodesOf(step);
  });
}

/** Removes the second step. `note` records who did it; it is not called for an unconfirmed second step. */
export async function removeSecondStep(account: Holder, note: typeof noteRemoval = noteRemoval): Promise<void> {
  await db().transaction(async tx => {
    const gone = await tx.delete(secondSteps).where(eq(secondSteps.accountId, account.id)).returning();
    if (gone.some(({ confirmedAt }) => confirmedAt)) await note(account, tx);
  });
}

function noteRemoval(account: Holder, tx: Tx): Promise<void> {
  const sentence = 'The second step was turned off for signing in with your password.';
  return noteHolderAct(account, { act: 'second_step.remove', sentence }, tx);
}

/** Returns the state of the second step; null when it is not on. */
export async function readSecondStep(accountId: string): Promise<SecondStepState | null> {
  const step = await findStep(accountId);
  return step?.confirmedAt ? { since: step.confirmedAt, recoveryLeft: step.recoveryLeft.length } : null;
}
