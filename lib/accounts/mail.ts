import { countAttempt, forgiveAttempt } from '#lib/accounts/throttle';
import type { Tx } from '#lib/db/client';
import { owe } from '#lib/db/owe';
import type { Mail } from '#lib/db/schema';
import { env } from '#lib/env';
import { newId } from '#lib/ids';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

/** Whether this deployment can send mail. */
export const canSendMail = (): boolean => env().SMTP_URL !== undefined;

const transport = () =>
  singleton('accounts.mail', async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ url: env().SMTP_URL, connectionTimeout: 10_000, socketTimeout: 20_000 });
  });

/**
 * Throws `rate_limited` where the address got many of its kind: not everybody has shown that theirs is their own. Each kind counts
 * for itself, so that thirty new keys do not keep the mail back that tells of another address.
 */
export async function sendMail({ kind, ...mail }: Mail): Promise<void> {
  const counted = ['LIMIT_MAILS_PER_ACCOUNT', `${kind} ${mail.to}`] as const;
  await countAttempt(...counted);
  try {
    await (await transport()).sendMail({ from: env().MAIL_FROM, ...mail });
  } catch (error) {
    // what is tried again until the mail server is back is one mail
    await forgiveAttempt(...counted);
    throw error;
  }
}

/** Has a mail sent that tells of what a transaction does: as soon as that is through, and not before. Never given a secret. */
export async function oweMail(mail: Mail, tx: Tx): Promise<void> {
  if (canSendMail()) await owe(tx, [{ consumer: 'mails', subjectId: newId(), mail }]);
}

/** Nobody waits for a mail that goes out so, and whoever asked for it is not told how it went. */
export const inBackground = (mailing: Promise<void>): void =>
  void mailing.catch((error: unknown) => log().error({ reason: (error as Error).message }, 'mail not sent'));
