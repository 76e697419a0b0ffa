import { and, eq, gte, sql } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { holdAccount } from '#lib/db/hold-account';
import { deliveries, notices, webhooks, type DeliveryTry } from '#lib/db/schema';
import { raiseNotice } from '#lib/notices/notices';
import { log } from '#lib/log';
import { pauseAfter } from '#lib/webhooks/retry';
import type { DueDelivery } from '#lib/webhooks/take-deliveries';
import { giveUpOwed, switchOff, type Webhook } from '#lib/webhooks/webhooks';

/** Time without a successful delivery after which a webhook is switched off. */
const PATIENCE = sql`interval '5 days'`;
const GONE = 410;

/** Records an attempt: delivered, to be retried, or given up; and updates the state of the webhook accordingly. */
export async function settle(delivery: DueDelivery, made: DeliveryTry): Promise<void> {
  const { id, webhookId, accountId, event } = delivery;
  const ok = made.status !== null && made.status >= 200 && made.status < 300;
  const settled = await db().transaction(async tx => {
    // a failure may raise a notice, a row of the account, which must be locked first
    if (!ok) await holdAccount(accountId, tx);
    const [found] = await tx
      .select({ webhook: webhooks, tries: deliveries.tries, earlierTries: deliveries.earlierTries })
      .from(webhooks)
      .innerJoin(deliveries, eq(deliveries.webhookId, webhooks.id))
      .where(eq(deliveries.id, id))
      .for('no key update');
    if (!found) return { count: null, isOff: false };
    const { webhook, tries, earlierTries } = found;
    // the attempt is already recorded: the response to an earlier commit was lost
    if (tries.some(({ at }) => at === made.at)) return { count: tries.length, isOff: webhook.disabledAt !== null };
    const pause = ok || made.status === GONE ? null : pauseAfter(tries.length + 1 - earlierTries);
    await tx
      .update(deliveries)
      .set({
        tries: sql`${deliveries.tries} || ${JSON.stringify([made])}::jsonb`,
        takenUntil: null,
        ...(pause !== null && { dueAt: sql`now() + ${pause} * interval '1 second'` }),
        ...(pause === null && { status: ok ? 'delivered' : 'failed', dueAt: null, finishedAt: sql`now()` }),
      })
      .where(and(eq(deliveries.id, id), eq(deliveries.status, 'pending')));
    if (ok) await noteSuccess(webhook, tx);
    // only failures at the webhook's current address count, not those at a previous one or at addresses of requests
    const speaks = !ok && webhook.url === delivery.url;
    const isOff = speaks && (await noteFailure(webhook, made, pause === null, tx));
    return { count: tries.length + 1, isOff };
  });
  if (settled.isOff) await giveUpOwed(webhookId);
  log().info(
    { delivery: id, webhook: webhookId, event, try: settled.count, status: made.status, ms: made.ms, ok },
    'webhook',
  );
}

const noteSuccess = async ({ id, failingSince }: Webhook, tx: Tx) =>
  void (failingSince && (await tx.update(webhooks).set({ failingSince: null }).where(eq(webhooks.id, id))));

/** Records a failed attempt on its webhook. Returns whether that switched the webhook off. */
async function noteFailure(webhook: Webhook, made: DeliveryTry, givenUp: boolean, tx: Tx): Promise<boolean> {
  const { id, accountId, url, disabledAt } = webhook;
  if (disabledAt) return false;
  const [failing] = await tx
    .update(webhooks)
    .set({ failingSince: sql`coalesce(${webhooks.failingSince}, now())` })
    .where(eq(webhooks.id, id))
    .returning({ lasts: sql<boolean>`${webhooks.failingSince} < now() - ${PATIENCE}` });
  const because = made.status === GONE ? 'gone' : failing?.lasts ? 'failing' : null;
  if (because) await switchOff(id, because, tx);
  if (because || (givenUp && !(await isTold(webhook, tx))))
    await raiseNotice(accountId, 'webhook.failing', { webhook_id: id, url: url!, switched_off: because }, tx);
  return because !== null;
}

/** Whether the account was notified since the failures began, or within the last day for failures that come and go. */
async function isTold({ id, accountId, url }: Webhook, tx: Tx): Promise<boolean> {
  const [told] = await tx
    .select({ id: notices.id })
    .from(notices)
    .innerJoin(webhooks, eq(webhooks.id, id))
    .where(
      and(
        eq(notices.accountId, accountId),
        eq(notices.kind, 'webhook.failing'),
        sql`${notices.data} @> ${JSON.stringify({ webhook_id: id, url })}::jsonb`,
        gte(notices.createdAt, sql`least(${webhooks.failingSince}, now() - interval '1 day')`),
      ),
    )
    .limit(1);
  return told !== undefined;
}
