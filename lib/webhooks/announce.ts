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
  /** The request or notice that it tells of: each webhook is told once. */
  sourceId: string;
  at: Date;
  data: object;
  /** The address that the request named for itself. */
  address?: string | null;
}

/** What is sent: the same bytes with every try. */
export const bodyOf = (type: string, at: Date, data: object): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data });

/** Tells those of an account's webhooks that hear of the event. To be told again changes nothing. */
export async function announce({ accountId, event, sourceId, at, data, address = null }: Announcement): Promise<void> {
  const body = bodyOf(event, at, data);
  await db().transaction(async tx => {
    // the webhook of its requests may have to be made
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

/** Rows that one statement writes: it takes no more than 65,535 parameters. */
const AT_ONCE = 1_000;

/** Tells the webhooks of all accounts that hear of the event; in a transaction, so that they are told once. */
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

/** A message to one webhook. Those to one server of its wait for each other, never for those to another. */
export const deliveryTo = ({ id, url: own }: Webhook, url: string) => ({
  id: newId(),
  webhookId: id,
  url,
  lane: own === null ? `${id} ${new URL(url).origin}` : id,
});

const hears = (event: Event) =>
  and(isNull(webhooks.disabledAt), sql`${webhooks.url} is not null and ${event} = any(${webhooks.events})`);

/** None of them is switched off until the transaction ends: what it then owes is given up. */
const listeners = (which: SQL | undefined, tx: Tx): Promise<Webhook[]> =>
  tx.select().from(webhooks).where(which).for('share');
