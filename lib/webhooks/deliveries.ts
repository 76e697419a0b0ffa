import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import { countAttempt } from '#lib/accounts/throttle';
import { db, type Tx } from '#lib/db/client';
import { transactionOf } from '#lib/db/in-turn';
import { olderThan, toPage, type Page } from '#lib/db/page';
import { deliveries } from '#lib/db/schema';
import { now } from '#lib/db/schema/columns';
import { AppError, invalid } from '#lib/errors';
import { TEST_EVENT } from '#lib/events';
import { isUuid } from '#lib/ids';
import { mustBe } from '#lib/issue';
import { bodyOf, deliveryTo } from '#lib/webhooks/announce';
import { getWebhook, getWebhookOn } from '#lib/webhooks/webhooks';

export type Delivery = typeof deliveries.$inferSelect;
/** A delivery in a list, without its body. */
export type ListedDelivery = Omit<Delivery, 'body'>;

interface Wanted {
  limit: number;
  cursor?: string | undefined;
  status?: Delivery['status'][] | undefined;
}

const { body: _, ...listed } = getTableColumns(deliveries);

/** Lists the deliveries of a webhook, newest first. Throws `webhook_not_found`. */
export async function listDeliveries(
  accountId: string,
  webhookId: string,
  { limit, cursor, status }: Wanted,
): Promise<Page<ListedDelivery>> {
  await getWebhook(accountId, webhookId);
  const rows = await db()
    .select(listed)
    .from(deliveries)
    .where(
      and(
        eq(deliveries.webhookId, webhookId),
        olderThan(deliveries.id, cursor),
        status && sql`${deliveries.status} = any(${sql.param(status)})`,
      ),
    )
    .orderBy(desc(deliveries.id))
    .limit(limit + 1);
  return toPage(rows, limit, ({ id }) => id);
}

export async function getDelivery(accountId: string, webhookId: string, id: string): Promise<Delivery> {
  await getWebhook(accountId, webhookId);
  const [row] = isUuid(id) ? await db().select().from(deliveries).where(ofWebhook(webhookId, id)) : [];
  if (!row) throw noDelivery();
  return row;
}

/** Resends a message with its id and a new series of tries; an attempt in progress counts as the first of them. */
export async function resendDelivery(accountId: string, webhookId: string, id: string): Promise<Delivery> {
  await getDelivery(accountId, webhookId, id);
  return sendSoon(accountId, webhookId, tx =>
    tx
      .update(deliveries)
      .set({
        status: 'pending',
        earlierTries: sql`jsonb_array_length(${deliveries.tries})`,
        // `now` is truncated to milliseconds: rounded up, the message would not be due when the sender wakes
        dueAt: sql`greatest(${deliveries.takenUntil}, ${now})`,
        finishedAt: null,
      })
      .where(ofWebhook(webhookId, id))
      .returning(),
  );
}

/** Sends a test message. Throws `invalid_request` for the webhook of the addresses that requests name. */
export async function sendTest(accountId: string, webhookId: string): Promise<Delivery> {
  const webhook = await getWebhook(accountId, webhookId);
  if (webhook.url === null) {
    const rule = 'a webhook with an address of its own; this one stands for the addresses that requests name';
    throw invalid('invalid_request', [mustBe('/webhook_id', rule, webhookId)]);
  }
  const body = bodyOf(TEST_EVENT, new Date(), { webhook_id: webhookId, message: 'Messages from Pomona arrive here.' });
  const delivery = { ...deliveryTo(webhook, webhook.url), accountId, event: TEST_EVENT, body } as const;
  return sendSoon(accountId, webhookId, tx => tx.insert(deliveries).values(delivery).returning());
}

/** Channel that wakes the sender for messages that are not caused by the end of a request. */
export const MESSAGES_CHANNEL = 'pomona_messages';

/** Writes a delivery and wakes the sender, because a user is waiting for the outcome. Throws `webhook_disabled`. */
async function sendSoon(
  accountId: string,
  webhookId: string,
  write: (tx: Tx) => Promise<Delivery[]>,
): Promise<Delivery> {
  await countAttempt('LIMIT_WEBHOOK_SENDS', accountId);
  return transactionOf(accountId, async tx => {
    await getWebhookOn(accountId, webhookId, tx);
    await tx.execute(sql`select pg_notify(${MESSAGES_CHANNEL}, '')`);
    const [row] = await write(tx);
    if (!row) throw noDelivery();
    return row;
  });
}

const ofWebhook = (webhookId: string, id: string) => and(eq(deliveries.webhookId, webhookId), eq(deliveries.id, id));

const noDelivery = () => new AppError('webhook_not_found', 'No delivery with this id belongs to the webhook.');
