import { recordAct, type Act } from '#lib/accounts/audit';
import { oweMail } from '#lib/accounts/mail';
import type { Tx } from '#lib/db/client';
import { env } from '#lib/env';

export type Holder = { id: string; email: string };

export const holderOf = ({ accountId: id, email }: { accountId: string; email: string }): Holder => ({ id, email });

type HolderAct = Pick<Act, 'act' | 'before' | 'after'>;

/** Records a holder's change to the access of their account in the audit log, in the transaction of the change. */
export const recordHolderAct = ({ id, email }: Holder, act: HolderAct, tx: Tx): Promise<void> =>
  recordAct({ id, name: email }, { ...act, subject: email, accountId: id }, tx);

/** Like `recordHolderAct`, and mails `sentence` to the holder, with `otherwise` as advice in case it was not them. */
export async function noteHolderAct(
  holder: Holder,
  { sentence, otherwise = lookThrough(), ...act }: HolderAct & { sentence: string; otherwise?: string },
  tx: Tx,
): Promise<void> {
  await recordHolderAct(holder, act, tx);
  const text = `${sentence}\n\nIf this was you, there is nothing to do. If not, ${otherwise}\n`;
  const subject = 'Your account at Pomona was changed';
  await oweMail({ kind: act.act, to: holder.email, subject, text }, tx);
}

const lookThrough = (): string =>
  `choose a new password and check who is signed in:\n\n${env().BASE_URL}/account/security`;
