import { eq } from 'drizzle-orm';
import { canSendMail, sendMail } from '#lib/accounts/mail';
import { db } from '#lib/db/client';
import { accounts } from '#lib/db/schema';
import { env } from '#lib/env';
import { noticeWords } from '#lib/notices/notice-words';
import type { NoticeRow } from '#lib/notices/notices';

/** Sends a notice by mail, unless there is no mail server, or the account is disabled or has muted such mails. */
export async function mailNotice(notice: NoticeRow): Promise<void> {
  if (!canSendMail()) return;
  const [account] = await db().select().from(accounts).where(eq(accounts.id, notice.accountId));
  if (!account || account.disabledAt || account.mutes.includes(`${notice.kind}:mail`)) return;
  const { title, text, href } = noticeWords(notice);
  const { BASE_URL } = env();
  await sendMail({
    kind: 'notice',
    to: account.email,
    subject: `Pomona: ${title}`,
    text: `${text}\n\n${BASE_URL}${href}\n\nChoose which mails you get: ${BASE_URL}/account/notices`,
  });
}
