import { pool } from '#lib/db/client';
import type { Delivery } from '#lib/webhooks/deliveries';
import type { Webhook } from '#lib/webhooks/webhooks';

/** A delivery to attempt now, with the data to sign it. */
export type DueDelivery = Pick<Delivery, 'id' | 'webhookId' | 'accountId' | 'event' | 'lane' | 'body'> & {
  /** Current address of the webhook; the address that the request named, for the webhook of such addresses. */
  url: string;
} & Pick<Webhook, 'secretVersion' | 'previousUntil'>;

interface Wanted {
  /** Whether to take from failing webhooks, which have their own places and are tried with one message at a time. */
  failing: boolean;
  most: number;
  /** Number of messages that this process is sending, by lane. */
  underWay: ReadonlyMap<string, number>;
  /** Number of messages that this process is sending, by account. */
  ofAccount: ReadonlyMap<string, number>;
}

/** Maximum number of concurrent messages in one lane, from one process. */
const PER_LANE = 4;
/** Maximum number of concurrent messages of one account, from one process. */
const OF_ACCOUNT = 40;

/** Lease of an attempt, longer than an attempt can take. */
const LEASE = '40 seconds';

/**
 * Takes due deliveries, some from every lane that has any, so that a backlog in one lane does not delay the others. Due
 * deliveries of disabled accounts and webhooks are given up instead.
 */
export async function takeDeliveries({ failing, most, underWay, ofAccount }: Wanted): Promise<DueDelivery[]> {
  const { rows } = await pool().query<DueDelivery & { hears: boolean }>({
    name: 'take_deliveries',
    text: `
      with recursive lanes (lane) as (
        (select lane from webhook_deliveries where status = 'pending' and due_at <= now() order by lane limit 1)
        union all
        select (select d.lane from webhook_deliveries d
          where d.status = 'pending' and d.due_at <= now() and d.lane > lanes.lane order by d.lane limit 1)
        from lanes where lanes.lane is not null
      ), due as (
        select picked.id, row_number() over (partition by w.account_id order by random()) + under_way as nth from lanes
          join webhooks w on w.id = left(lanes.lane, 36)::uuid and (w.failing_since is not null) = $1
          join lateral (select coalesce(($4::jsonb ->> w.account_id::text)::int, 0) as under_way) own on under_way < ${OF_ACCOUNT}
          cross join lateral (
            select d.id from webhook_deliveries d where d.lane = lanes.lane and d.status = 'pending' and d.due_at <= now()
            order by d.due_at
            limit greatest(0, case when $1 then 1 else ${PER_LANE} end - coalesce(($3::jsonb ->> lanes.lane)::int, 0))
          ) picked
      ), fair as (
        select id from due where nth <= ${OF_ACCOUNT} order by random() limit $2
      ), taken as (
        select id from webhook_deliveries where id in (select id from fair) and status = 'pending' and due_at <= now()
        for update skip locked
      )
      update webhook_deliveries d set
        url = coalesce(w.url, d.url),
        due_at = case when hears then now() + interval '${LEASE}' end,
        taken_until = case when hears then now() + interval '${LEASE}' end,
        status = case when hears then d.status else 'failed' end,
        finished_at = case when not hears then now() end
      from webhooks w join accounts a on a.id = w.account_id
        cross join lateral (select a.disabled_at is null and w.disabled_at is null as hears) told
      where d.id in (select id from taken) and w.id = d.webhook_id
      returning hears, d.id, d.webhook_id as "webhookId", d.account_id as "accountId", d.event, d.lane, d.body,
        d.url, w.secret_version as "secretVersion", w.previous_until as "previousUntil"`,
    values: [
      failing,
      most,
      JSON.stringify(Object.fromEntries(underWay)),
      JSON.stringify(Object.fromEntries(ofAccount)),
    ],
  });
  return rows.filter(({ hears }) => hears);
}
