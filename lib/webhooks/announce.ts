import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { holdAccount } from '#lib/db/hold-account';
import { deliveries, webhooks } from '#lib/db/schema';
import type { Event } from '#lib/events';
import { newId } from '#lib/ids';
import { requestWebhook, type Webhook } from '#lib/webhooks/webhooks';

interface Announcement {
  accountId: string;
  event: Event;
  /** Request or notice that the event is about; each webhook gets one message for it. */
  sourceId: string;
  at: Date;
  data: object;
  /** Additional address that the request named. */
  address?: string | null;
}

/** Returns the body of a message, which stays the same for every attempt. */
export const bodyOf = (type: string, at: Date, data: object): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data });

/** Queues a message to each webhook of the account that subscribes to the event. Idempotent. */
export async function announce({ accountId, event, sourceId, at, data, address = null }: Announcement): Promise<void> {
  const body = bodyOf(event, at, data);
  await db().transaction(async tx => {
    // locked first, because the webhook of its requests may have to be inserted
    if (address !== null && !(await holdAccount(accountId, tx))) return;
    const told = await listeners(and(eq(webhooks.accountId, accountId), hears(event)), tx);
    const rows = told.map(webhook => deliveryTo(webhook, webhook.url!));
    if (address !== null) {
      const webhook = await requestWebhook(accountId, tx);
      if (!webhook.disabledAt) rows.push(deliveryTo(webhook, address));
    }
    if (rows.length > 0)
      await tx
        .insert(deliveries)
        .values(rows.map(row => ({ ...row, accountId, event, sourceId, body })))
        .onConflictDoNothing();
  });
}

/** Maximum number of rows for one insert, as a statement takes at most 65,535 parameters. */
const AT_ONCE = 1_000;

/** Queues a message to all webhooks that subscribe to the event, once, as part of the caller's transaction. */
export async function announceToAll(event: Event, at: Date, data: object, tx: Tx): Promise<void> {
  const body = bodyOf(event, at, data);
  const told = await listeners(hears(event), tx);
  for (let from = 0; from < told.length; from += AT_ONCE) {
    const portion = told.slice(from, from + AT_ONCE);
    await tx
      .insert(deliveries)
      .values(portion.map(one => ({ ...deliveryTo(one, one.url!), accountId: one.accountId, event, body })));
  }
}

/** Makes a message to one webhook. The webhook of requests has a lane for each server, so that none delays others. */
export const deliveryTo = ({ id, url: own }: Webhook, url: string) => ({
  id: newId(),
  webhookId: id,
  url,
  lane: own === null ? `${id} ${new URL(url).origin}` : id,
});

const hears = (event: Event) =>
  and(isNull(webhooks.disabledAt), sql`${webhooks.url} is not null and ${event} = any(${webhooks.events})`);

/** Finds webhooks, locked until the transaction ends: one switched off meanwhile would not give up the new messages. */
const listeners = (which: SQL | undefined, tx: Tx): Promise<Webhook[]> =>
  tx.select().from(webhooks).where(which).for('share');
