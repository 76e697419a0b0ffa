import { actorOf, recordAct } from '#lib/accounts/audit';
import { oweMail } from '#lib/accounts/mail';
import type { Tx } from '#lib/db/client';
import { env } from '#lib/env';

export type Holder = { id: string; email: string };

export const holderOf = ({ accountId: id, email }: { accountId: string; email: string }): Holder => ({ id, email });

interface Facts {
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/** Writes down what the holder of an account did to the ways into it, in the transaction that does it. */
export const recordHolderAct = ({ id, email }: Holder, act: string, tx: Tx, facts: Facts): Promise<void> =>
  recordAct(actorOf({ accountId: id, email }), { act, subject: email, accountId: id, ...facts }, tx);

/**
 * Writes down what the holder of an account did to the ways into it, in the transaction that does it, and tells them by mail, in
 * case it was somebody else; `otherwise` says what to do then.
 */
export async function noteHolderAct(
  holder: Holder,
  act: string,
  sentence: string,
  tx: Tx,
  { otherwise = lookThrough(), ...facts }: Facts & { otherwise?: string } = {},
): Promise<void> {
  await recordHolderAct(holder, act, tx, facts);
  const text = `${sentence}\n\nIf it was you, there is nothing to do. If not, ${otherwise}\n`;
  const subject = 'Your account at Pomona was changed';
  await oweMail({ kind: act, to: holder.email, subject, text }, tx);
}

const lookThrough = (): string =>
  `choose a new password and look at who is signed in:\n\n${env().BASE_URL}/account/security`;
