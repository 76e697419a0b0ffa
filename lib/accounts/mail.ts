import { countHere } from '#lib/accounts/throttle';
import { env } from '#lib/env';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

/** Whether this deployment can send mail. */
export const canSendMail = (): boolean => env().SMTP_URL !== undefined;

const transport = () =>
  singleton('accounts.mail', async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ url: env().SMTP_URL, connectionTimeout: 10_000, socketTimeout: 20_000 });
  });

const FULL = 'The address got as many mails of this kind in an hour as it may.';

/**
 * Throws `rate_limited` where the address got many of its kind: not everybody has shown that theirs is their own. Each kind counts
 * for itself, so that thirty new keys do not keep the mail back that tells of another address.
 */
export async function sendMail(kind: string, mail: { to: string; subject: string; text: string }): Promise<void> {
  // here: it may tell of what a transaction does that still holds its connection
  await countHere('LIMIT_MAILS_PER_ACCOUNT', `${kind} ${mail.to.toLowerCase()}`, () => FULL);
  await (await transport()).sendMail({ from: env().MAIL_FROM, ...mail });
}

/** Nobody waits for a mail that goes out so, and whoever asked for it is not told how it went. */
export const inBackground = (mailing: Promise<void>): void =>
  void mailing.catch((error: unknown) => log().error({ reason: (error as Error).message }, 'mail not sent'));
