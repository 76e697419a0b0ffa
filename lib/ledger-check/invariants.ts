import { FINAL_LIST, LIVE_LIST, liveIn } from '#lib/status';

/** One row or file that breaks an invariant. */
export interface Breach {
  what: string;
  id: string;
  found: string | null;
  expected: string | null;
}

/** SQL condition: the account is not being deleted. Deletion goes in steps, and its leftovers belong to no account. */
const stays = (account: string) =>
  `not exists (select from outbox going where going.consumer = 'accounts' and going.request_id = ${account})`;

/**
 * SQL condition: a worker is alive and was started more than two minutes ago, by the time in its id. Before that,
 * requests that were live at a full stop, or in a backup, may still wait for a worker to take them over.
 */
const OTHERS_COULD = `exists (
  select from workers other where other.seen_at > now() - interval '15 seconds'
    and to_timestamp(('x' || translate(left(other.id::text, 13), '-', ''))::bit(48)::bigint / 1000) < now() - interval '2 minutes')`;

/** Invariants that hold whichever process dies at any time. Each query returns the rows that break one, as `Breach`. */
export const INVARIANTS: readonly { invariant: string; title: string; breaches: string }[] = [
  {
    invariant: 'I1',
    title: 'no balance is below 0',
    breaches: `
      select 'balance below 0' as what, id::text, balance::text as found, null as expected from accounts where balance < 0
      union all
      select 'balance_after below 0', id::text, balance_after::text, null from ledger where balance_after < 0`,
  },
  {
    invariant: 'I2',
    title: 'every balance is the sum of its ledger, whose rows chain without a gap',
    breaches: `
      with links as (
        select id, balance_after, gems + lag(balance_after, 1, 0::bigint) over (partition by account_id order by id) as follows from ledger
      ), sums as (
        select account_id, sum(gems) as gems from ledger group by account_id
      )
      select 'ledger row does not follow the one before' as what, id::text, balance_after::text as found, follows::text as expected
      from links where balance_after <> follows
      union all
      select 'balance is not the sum of the ledger', a.id::text, a.balance::text, coalesce(s.gems, 0)::text
      from accounts a left join sums s on s.account_id = a.id where a.balance <> coalesce(s.gems, 0)`,
  },
  {
    invariant: 'I3',
    title: 'every request has one charge, equal to its price',
    breaches: `
      with charges as (
        select request_id, account_id, count(*) as n, sum(gems) as gems from ledger where kind = 'charge' group by 1, 2
      )
      select case when r.id is null then 'charge without a request' else 'request without exactly its charge' end as what,
        coalesce(r.id, c.request_id)::text as id, c.n || ' of ' || c.gems as found, '1 of ' || -r.gems as expected
      from requests r full join charges c on c.request_id = r.id and c.account_id = r.account_id
      where r.id is null and exists (select from accounts a where a.id = c.account_id) and ${stays('c.account_id')}
        or r.id is not null and (c.n is distinct from 1 or c.gems <> -r.gems)`,
  },
  {
    invariant: 'I4',
    title: 'every failed request has one refund, equal to its charge; no other has one',
    breaches: `
      with refunds as (
        select request_id, account_id, count(*) as n, sum(gems) as gems from ledger where kind = 'refund' group by 1, 2
      )
      select case when r.id is null then 'refund without a request' when r.status = 'failed' then 'failed request without exactly its refund'
          else 'refund of a live request' end as what,
        coalesce(r.id, f.request_id)::text as id, f.n || ' of ' || f.gems as found, '1 of ' || r.gems as expected
      from requests r full join refunds f on f.request_id = r.id and f.account_id = r.account_id
      where r.id is null and exists (select from accounts a where a.id = f.account_id) and ${stays('f.account_id')}
        or r.status = 'failed' and (f.n is distinct from 1 or f.gems <> r.gems or not r.refunded)
        or r.status in (${LIVE_LIST}) and (f.n is not null or r.refunded)`,
  },
  {
    invariant: 'I5',
    title: 'completed and cancelled requests have no refund',
    breaches: `
      select 'refund of a ' || r.status || ' request' as what, r.id::text, l.gems::text as found, null as expected
      from requests r left join ledger l on l.request_id = r.id and l.kind = 'refund'
      where r.status in ('completed', 'cancelled') and (l.id is not null or r.refunded)`,
  },
  {
    invariant: 'I6',
    title: 'no account has more live requests than its limit, and none is live for more than a day',
    // a limit applies to requests accepted after it was set
    breaches: `
      select 'more live requests than the limit' as what, a.id::text, count(*)::text as found, a.in_flight_limit::text as expected
      from accounts a join requests r on r.account_id = a.id where ${liveIn('r')} and (a.limited_at is null or r.created_at > a.limited_at)
      group by a.id having count(*) > a.in_flight_limit
      union all
      select 'live for more than a day', id::text, status, null
      from requests where ${liveIn()} and created_at < now() - interval '1 day'`,
  },
  {
    invariant: 'I7',
    title: 'a final state is whole: its end, and its result or its error, and neither elsewhere',
    breaches: `
      select 'state and its members disagree' as what, id::text, status as found, null as expected from requests
      where (status in (${FINAL_LIST})) <> (finished_at is not null)
        or (status = 'completed') <> (result is not null)
        or (status = 'failed') <> (error_message is not null)
        or finished_at < created_at`,
  },
  {
    invariant: 'I8',
    title: 'every idempotency key has one answer: its own request, or a recorded refusal that charged nothing',
    // the account of a key may have been deleted with its requests; its recorded answers no longer matter then
    breaches: `
      with owned as (
        select s.*, coalesce(k.account_id, a.id) as owner
        from submissions s left join api_keys k on k.id = s.scope left join accounts a on a.id = s.scope
        where k.id is not null or a.id is not null
      )
      select 'answered without a request or a refusal of the same account' as what, s.request_id::text as id, s.key as found, null as expected
      from owned s
        left join requests r on r.id = s.request_id and r.account_id = s.owner
        left join refusals f on f.request_id = s.request_id and f.account_id = s.owner
      where r.id is null and f.request_id is null
      union all
      select 'refused, yet there is a request', f.request_id::text, f.status::text, null
      from refusals f join requests r on r.id = f.request_id
      union all
      select 'request answered under two keys', request_id::text, count(*)::text, '1' from submissions group by request_id having count(*) > 1`,
  },
  {
    invariant: 'I9',
    title: 'every completed request has one output, and no other request has one',
    breaches: `
      select 'completed without the row of its output' as what, r.id::text, r.result ->> 'mediaId' as found, null as expected
      from requests r
        left join media m on m.kind = 'result' and m.request_id = r.id and m.id::text = r.result ->> 'mediaId'
      where r.status = 'completed' and m.id is null
      union all
      select 'output that is not its request''s result', m.id::text, m.request_id::text, r.result ->> 'mediaId'
      from media m left join requests r on r.id = m.request_id
      where m.kind = 'result' and m.deleted_at is null and r.result ->> 'mediaId' is distinct from m.id::text and ${stays('m.account_id')}
      union all
      select 'smaller form of another output', m.id::text, m.request_id::text, null
      from media m left join requests r on r.id = m.request_id
      where m.kind = 'preview' and m.deleted_at is null and m.request_id is not null
        and coalesce(r.result -> 'renditions' @> jsonb_build_array(jsonb_build_object('mediaId', m.id)), false) is false
        -- as it was stored before there were several
        and r.result -> 'preview' ->> 'mediaId' is distinct from m.id::text and ${stays('m.account_id')}
      union all
      select 'smaller form of no file, or that does not end with it', m.id::text, m.expires_at::text, f.expires_at::text
      from media m left join (
        select m.account_id, m.expires_at, (jsonb_array_elements(m.forms -> 'renditions') ->> 'mediaId')::uuid as form
        from media m where m.forms is not null) f on f.form = m.id
      where m.kind = 'preview' and m.deleted_at is null and m.request_id is null
        and (f.account_id is distinct from m.account_id or f.expires_at is distinct from m.expires_at) and ${stays('m.account_id')}`,
  },
  {
    invariant: 'I11',
    title: 'every message that an end owes is sent, or is still to be',
    // deliveries are kept for two weeks, so older requests cannot be checked
    breaches: `
      select 'end that the address its request named is not told' as what, r.id::text, r.webhook as found, null as expected
      from requests r join webhooks w on w.account_id = r.account_id and w.url is null and w.created_at <= r.finished_at
      where r.webhook is not null and r.finished_at > now() - interval '13 days' and w.disabled_at is null and ${stays('r.account_id')}
        and not exists (select from webhook_deliveries d where d.webhook_id = w.id and d.source_id = r.id)
        and not exists (select from outbox o where o.request_id = r.id and o.consumer = 'webhooks')
      union all
      select 'message that waits for nothing, or is over and waits', id::text, status, due_at::text
      from webhook_deliveries where (status = 'pending') = (due_at is null)`,
  },
  {
    invariant: 'I12',
    title: 'no request fails because a process ended, and none is left in the hands of one that did',
    // a live worker renews its row every three seconds; a dead worker's row is deleted after five minutes
    breaches: `
      select 'failed as interrupted, yet not five times' as what, id::text, interruptions::text as found, '5' as expected
      from requests where status = 'failed' and failure_cause like '%what held it ended%' and interruptions < 5
      union all
      select 'final, and still held', id::text, worker::text, null
      from requests where status in (${FINAL_LIST}) and worker is not null
      union all
      select 'live, and held by a process that is gone', r.id::text, r.worker::text, null
      from requests r left join workers w on w.id = r.worker
      where r.status in (${LIVE_LIST}) and r.worker is not null and r.updated_at < now() - interval '2 minutes'
        and (w.id is null or w.seen_at < now() - interval '2 minutes') and ${OTHERS_COULD}`,
  },
  {
    invariant: 'I13',
    title: 'usage counts what there is: every request once, and what was refunded',
    breaches: `
      with made as (
        select account_id, api_key_id, (created_at at time zone 'UTC')::date as day, architecture, type, count(*) as requests,
          count(*) filter (where status = 'failed') as failed, coalesce(sum(gems) filter (where not refunded), 0) as gems
        from requests where (created_at at time zone 'UTC')::date >= counted_since() group by 1, 2, 3, 4, 5
      ), counted as (
        select account_id, api_key_id, day, architecture, type, requests, failed, gems from usage where day >= counted_since()
      )
      select 'counted, and not so' as what, account_id::text as id, to_jsonb(wrong)::text as found, null as expected
      from (table counted except table made) wrong where ${stays('account_id')}
      union all
      select 'so, and not counted', account_id::text, null, to_jsonb(missing)::text from (table made except table counted) missing`,
  },
];
