import { actorOf, recordAct } from '#lib/accounts/audit';
import { canSendMail, inBackground, sendMail } from '#lib/accounts/mail';
import type { Tx } from '#lib/db/client';
import { env } from '#lib/env';

type Holder = { id: string; email: string };

/**
 * Writes down what the holder of an account did to the ways into it, in the transaction that does it, and tells them by mail, in
 * case it was somebody else.
 */
export async function noteHolderAct(
  { id, email }: Holder,
  act: string,
  sentence: string,
  tx: Tx,
  facts: { before?: Record<string, unknown>; after?: Record<string, unknown> } = {},
): Promise<void> {
  await recordAct(actorOf({ accountId: id, email }), { act, subject: email, accountId: id, ...facts }, tx);
  const text = `${sentence}\n\nIf it was you, there is nothing to do. If not, choose a new password and look at who is signed in:\n\n${env().BASE_URL}/account/security\n`;
  if (canSendMail()) inBackground(sendMail({ to: email, subject: 'Your account at Pomona was changed', text }));
}
