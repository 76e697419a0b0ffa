import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Account } from '#lib/accounts/accounts';
import { noteHolderAct } from '#lib/accounts/holder-acts';
import { allCodes, appOf, findStep, recoveryCodesOf, requireCode, takeAppCode } from '#lib/accounts/second-step-codes';
import { db, type Tx } from '#lib/db/client';
import { secondSteps } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { newId } from '#lib/ids';

// The second step after a password: codes of an app (RFC 6238), and recovery codes for when it is lost.

export interface SecondStepState {
  since: Date;
  /** Recovery codes that are not used up. */
  recoveryLeft: number;
}

type Holder = Pick<Account, 'id' | 'email'>;

/** Begins a second step, which is in force once a code showed that the app has it. Replaces one that was only begun. */
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

/** Puts it in force with a code of the app. Gives the recovery codes, which are told this once. */
export async function confirmSecondStep(account: Holder, code: string): Promise<string[]> {
  const step = await findStep(account.id);
  if (!step) throw new AppError('invalid_request', 'Start setting up the second step first.');
  // the answer that had the recovery codes may have been lost
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
    // codes of one that is not in force would be told, and a mail sent
    if (!confirmed) throw new AppError('invalid_request', 'The second step was changed meanwhile. Reload the page.');
    const sentence = 'A second step was turned on for signing in with your password.';
    await noteHolderAct(account, { act: 'second_step.add', sentence }, tx);
    return recoveryCodesOf(step);
  });
}

/** New recovery codes; the old ones end. */
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

/** Takes it off. `note` writes down who did; of what was only begun nobody is told. */
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

/** How the second step stands; null when there is none in force. */
export async function readSecondStep(accountId: string): Promise<SecondStepState | null> {
  const step = await findStep(accountId);
  return step?.confirmedAt ? { since: step.confirmedAt, recoveryLeft: step.recoveryLeft.length } : null;
}
