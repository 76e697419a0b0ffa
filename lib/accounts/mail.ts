import { countAttempt, forgiveAttempt } from '#lib/accounts/throttle';
import type { Tx } from '#lib/db/client';
import { owe } from '#lib/db/owe';
import type { Mail } from '#lib/db/schema';
import { env } from '#lib/env';
import { newId } from '#lib/ids';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

/** Whether this deployment has a mail server. */
export const canSendMail = (): boolean => env().SMTP_URL !== undefined;

const transport = () =>
  singleton('accounts.mail', async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ url: env().SMTP_URL, connectionTimeout: 10_000, socketTimeout: 20_000 });
  });

/**
 * Sends a mail. Throws `rate_limited` after too many of a kind to one address, which may be unverified. Kinds are
 * counted separately, so that many notices of new keys do not suppress the one about a changed address.
 */
export async function sendMail({ kind, ...mail }: Mail): Promise<void> {
  const counted = ['LIMIT_MAILS_PER_ACCOUNT', `${kind} ${mail.to}`] as const;
  await countAttempt(...counted);
  try {
    await (await transport()).sendMail({ from: env().MAIL_FROM, ...mail });
  } catch (error) {
    // retries until the mail server is back count as one mail
    await forgiveAttempt(...counted);
    throw error;
  }
}

/** Queues a mail about what a transaction does, to be sent once it has committed. Never pass a secret. */
export async function oweMail(mail: Mail, tx: Tx): Promise<void> {
  if (canSendMail()) await owe(tx, [{ consumer: 'mails', subjectId: newId(), mail }]);
}

/** Sends a mail without making the request wait or revealing the outcome to the caller. Failures are logged. */
export const inBackground = (mailing: Promise<void>): void =>
  void mailing.catch((error: unknown) => log().error({ reason: (error as Error).message }, 'mail not sent'));
