import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { deleteInPortions, inPortions, portionOf } from '#lib/db/in-portions';
import { transactionOf } from '#lib/db/in-turn';
import { deliveries, webhooks } from '#lib/db/schema';
import { AppError, invalid } from '#lib/errors';
import { EVENTS, type Event } from '#lib/events';
import { isUuid, newId } from '#lib/ids';
import { mustBe, pointer } from '#lib/issue';
import { log } from '#lib/log';
import { requireRoom } from '#lib/quotas';
import { checkedAddress } from '#lib/webhooks/checked-address';
import { secretOf } from '#lib/webhooks/secrets';

export type Webhook = typeof webhooks.$inferSelect;
/** A webhook with its secret, which is shown only once. */
export type NewWebhook = Webhook & { secret: string };

interface WebhookChange {
  url?: string | undefined;
  description?: string | null | undefined;
  events?: Event[] | undefined;
  enabled?: boolean | undefined;
}

const withSecret = (webhook: Webhook): NewWebhook => ({ ...webhook, secret: secretOf(webhook) });
const owned = (accountId: string, id: string) => and(eq(webhooks.id, id), eq(webhooks.accountId, accountId));

/** Adds a webhook for these events, by default all. Throws `quota_exceeded`, or `invalid_request` for a bad address. */
export async function createWebhook(
  accountId: string,
  { url, description = null, events = [...EVENTS] }: WebhookChange & { url: string },
): Promise<NewWebhook> {
  const address = checkedAddress(url);
  return await transactionOf(accountId, async tx => {
    await requireRoom(accountId, 'LIMIT_WEBHOOKS', 1, tx);
    const values = { id: newId(), accountId, url: address, description, events: [...new Set(events)] };
    const [row] = await tx.insert(webhooks).values(values).returning();
    return withSecret(row!);
  });
}

/** Lists the account's webhooks, newest first, and last the one for the addresses that requests name, if it exists. */
export const listWebhooks = (accountId: string): Promise<Webhook[]> =>
  db()
    .select()
    .from(webhooks)
    .where(eq(webhooks.accountId, accountId))
    .orderBy(sql`${webhooks.url} is null`, desc(webhooks.id));

/** Returns a webhook. Throws `webhook_not_found`, also for a webhook of another account and for an invalid id. */
export async function getWebhook(accountId: string, id: string): Promise<Webhook> {
  const [row] = isUuid(id) ? await db().select().from(webhooks).where(owned(accountId, id)) : [];
  if (!row) throw notFound();
  return row;
}

/** Returns an enabled webhook, which stays enabled until the transaction ends. Throws `webhook_disabled`. */
export async function getWebhookOn(accountId: string, id: string, tx: Tx): Promise<Webhook> {
  const [row] = await tx.select().from(webhooks).where(owned(accountId, id)).for('share');
  if (!row) throw notFound();
  if (row.disabledAt) throw new AppError('webhook_disabled', OFF);
  return row;
}

/** Changes the given settings. Enabling a webhook resets its failures; disabling it gives up its pending deliveries. */
export async function changeWebhook(accountId: string, id: string, change: WebhookChange): Promise<Webhook> {
  const { url } = await getWebhook(accountId, id);
  const { enabled, description, events } = change;
  if (url === null) {
    const rule = 'left out: this webhook stands for the addresses that requests name, which hear of each end';
    const fixed = Object.entries({ url: change.url, events }).filter(([, value]) => value !== undefined);
    if (fixed.length > 0)
      throw invalid(
        'invalid_request',
        fixed.map(([name, value]) => mustBe(pointer(name), rule, value)),
      );
  }
  const address = change.url === undefined ? undefined : checkedAddress(change.url);
  // deliveries left from when the webhook was switched off must not be sent now
  if (enabled === true) await giveUpOwed(id);
  await transactionOf(accountId, async tx => {
    const set = {
      ...(address !== undefined && { url: address }),
      // failures at the previous address say nothing about the new one
      ...(address !== undefined && address !== url && { failingSince: null }),
      ...(description !== undefined && { description }),
      ...(events !== undefined && { events: [...new Set(events)] }),
      ...(enabled === true && { disabledAt: null, disabledBecause: null, failingSince: null }),
    };
    if (Object.keys(set).length > 0) await tx.update(webhooks).set(set).where(owned(accountId, id));
    if (enabled === false) await switchOff(id, 'owner', tx);
  });
  if (enabled === false) await giveUpOwed(id);
  return getWebhook(accountId, id);
}

export async function deleteWebhook(accountId: string, id: string): Promise<void> {
  await getWebhook(accountId, id);
  // in portions first: the cascade could take longer than the statement timeout
  await deleteInPortions(deliveries, eq(deliveries.webhookId, id));
  await db().delete(webhooks).where(owned(accountId, id));
}

/** Rotates the secret, which is shown only once. For `hours`, messages are also signed with the previous secret. */
export async function rotateSecret(accountId: string, id: string, hours: number): Promise<NewWebhook> {
  await getWebhook(accountId, id);
  const [row] = await db()
    .update(webhooks)
    .set({
      secretVersion: sql`${webhooks.secretVersion} + 1`,
      previousUntil: hours > 0 ? sql`now() + ${hours} * interval '1 hour'` : null,
    })
    .where(owned(accountId, id))
    .returning();
  if (!row) throw notFound();
  return withSecret(row);
}

/** Disables a webhook. Its pending deliveries are given up afterwards, at the latest when they are due. */
export const switchOff = (id: string, because: NonNullable<Webhook['disabledBecause']>, tx: Tx) =>
  tx
    .update(webhooks)
    .set({ disabledAt: sql`now()`, disabledBecause: because })
    .where(and(eq(webhooks.id, id), isNull(webhooks.disabledAt)));

/** Gives up the pending deliveries of a disabled webhook, in portions. Returns their number. */
export function giveUpOwed(id: string): Promise<number> {
  const off = sql`exists (select from webhooks w where w.id = ${id} and w.disabled_at is not null)`;
  const owed = and(eq(deliveries.webhookId, id), eq(deliveries.status, 'pending'), off);
  const givenUp = { status: 'failed', dueAt: null, finishedAt: sql`now()` } as const;
  return inPortions(async () => {
    const { rowCount } = await db().update(deliveries).set(givenUp).where(portionOf(deliveries, owed));
    return rowCount ?? 0;
  });
}

const makeRequestWebhook = (accountId: string, tx: Tx) =>
  tx.insert(webhooks).values({ id: newId(), accountId, url: null, events: [] }).onConflictDoNothing();

/** Creates the webhook of requests with the first such request, so that its secret is available early. Never throws. */
export const showRequestWebhook = async (accountId: string): Promise<void> =>
  void (await makeRequestWebhook(accountId, db()).catch((error: unknown) =>
    log().warn({ err: error, accountId }, 'webhook of the account not created yet; the first message creates it'),
  ));

/** Returns the account's webhook for the addresses that its requests name, and creates it when there is none. */
export async function requestWebhook(accountId: string, tx: Tx): Promise<Webhook> {
  await makeRequestWebhook(accountId, tx);
  const [row] = await tx
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.accountId, accountId), sql`${webhooks.url} is null`))
    .for('share');
  if (!row) throw new Error(`account ${accountId} has no webhook for the addresses of its requests`);
  return row;
}

const OFF = 'The webhook is switched off. Switch it on with PATCH {"enabled": true}, then send again.';
const notFound = () => new AppError('webhook_not_found', 'No webhook with this id belongs to the account.');
