import { eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { notices } from '#lib/db/schema';
import { EVENTS } from '#lib/events';
import { mailNotice } from '#lib/notices/mail-notice';
import { announce } from '#lib/webhooks/announce';

/** Sends a notice to subscribed webhooks and by mail. */
export async function tellNotice(noticeId: string): Promise<void> {
  const [notice] = await db().select().from(notices).where(eq(notices.id, noticeId));
  if (!notice) return;
  const { accountId, kind, data, createdAt } = notice;
  const event = EVENTS.find(event => event === kind);
  if (event) await announce({ accountId, event, sourceId: noticeId, at: createdAt, data });
  await mailNotice(notice);
}
