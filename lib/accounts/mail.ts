import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { env } from '#lib/env';
import { LIMITS, overLimit } from '#lib/limits';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

/** Whether this deployment can send mail. */
export const canSendMail = (): boolean => env().SMTP_URL !== undefined;

const transport = () =>
  singleton('accounts.mail', async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ url: env().SMTP_URL, connectionTimeout: 10_000, socketTimeout: 20_000 });
  });

const NAME = 'LIMIT_MAILS_PER_ACCOUNT';

/** In memory: a mail may tell of what a transaction does that still holds its connection. */
const limiter = () =>
  singleton('accounts.mails', () => new RateLimiterMemory({ points: env()[NAME], duration: LIMITS[NAME].window }));

/** Throws `rate_limited` where the address got many: not everybody has shown that theirs is their own. */
export async function sendMail(mail: { to: string; subject: string; text: string }): Promise<void> {
  await limiter().consume(mail.to.toLowerCase()).catch(refuse);
  await (await transport()).sendMail({ from: env().MAIL_FROM, ...mail });
}

/** Nobody waits for a mail that goes out so, and whoever asked for it is not told how it went. */
export const inBackground = (mailing: Promise<void>): void =>
  void mailing.catch((error: unknown) => log().error({ reason: (error as Error).message }, 'mail not sent'));

function refuse(refused: unknown): never {
  if (!(refused instanceof RateLimiterRes)) throw refused;
  const retryAfter = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
  throw overLimit(NAME, 'The address got as many mails in an hour as it may.', { retryAfter });
}
