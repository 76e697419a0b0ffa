import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { db, pool } from '#lib/db/client';
import { fromRow, type JsonRow } from '#lib/db/rows';
import { requests } from '#lib/db/schema';
import type { EngineRef } from '#lib/engines/engine';
import type { Placed, Waiting } from '#lib/engines/placement';
import { LIVE_LIST, LIVE_STATUSES } from '#lib/status';
import { ringDoorbell, ringFor, WAITING_CHANNEL } from '#lib/life/doorbell';
import type { Generation } from '#lib/life/generation';

/** A request as a worker holds it; its `claim` number is the fencing token of all the worker's writes. */
export type Claim = Generation;

/** Fencing token of a write: the request and the number of the claim. */
export type Fence = Pick<Claim, 'id' | 'claim'>;

export const nameOf = ({ id, claim }: Fence) => `${id}/${claim}`;

/** Condition that lets only the holder of the last claim write, and only while the request is live. */
export const heldBy = ({ id, claim }: Fence) =>
  and(eq(requests.id, id), eq(requests.claim, claim), inArray(requests.status, LIVE_STATUSES));

/** Returns the first requests of each line that wait for a server. */
export async function readWaiting(lines: readonly string[], mostOfALine: number): Promise<Waiting[]> {
  const { rows } = await pool().query<Waiting>({
    name: 'waiting',
    text: `
      select r.id, r.line, r.turn_at as "turnAt", case when r.engine_ref is not null then r.server end as "heldBy"
      from unnest($1::text[]) as wanted (line)
        cross join lateral (
          select * from requests
          where requests.line = wanted.line and worker is null and fetched and status in (${LIVE_LIST})
            and (not_before is null or not_before <= now())
          order by turn_at, id limit $2
        ) r`,
    values: [lines, mostOfALine],
  });
  return rows;
}

/** Claims waiting requests for servers. Returns those that were still unclaimed and whose server still had a place. */
export async function claimGenerations(worker: string, picks: readonly Placed[]): Promise<Claim[]> {
  const { rows } = await pool().query<{ request: JsonRow }>({
    name: 'claim_generations',
    text: 'select to_json(r) as request from claim_generations($1, $2) r',
    values: [worker, JSON.stringify(picks)],
  });
  return rows.map(({ request }) => fromRow(requests, request));
}

/** Claims up to `most` requests whose media are not fetched yet, oldest first, within `mostPerAccount` per account. */
export async function claimUnfetched(worker: string, most: number, mostPerAccount: number): Promise<Claim[]> {
  const { rows } = await pool().query<{ request: JsonRow }>({
    name: 'claim_unfetched',
    text: `
      with turns as (
        select id, worker, turn_at, row_number() over (partition by account_id order by worker is null, turn_at, id) as place
        from requests
        where status in (${LIVE_LIST}) and not fetched and (worker is not null or not_before is null or not_before <= now())
      ), next as (
        select id from turns where worker is null and place <= $3 order by turn_at, id limit $2
      )
      update requests r set worker = $1, claim = claim + 1, updated_at = now() from next
      where r.id = next.id and r.worker is null and r.status in (${LIVE_LIST}) returning to_json(r) as request`,
    values: [worker, most, mostPerAccount],
  });
  return rows.map(({ request }) => fromRow(requests, request));
}

/** Writes the progress (0..1) of several claims. Returns the claims that are lost or whose request is final. */
export async function reportProgress(progress: ReadonlyMap<Claim, number>): Promise<Claim[]> {
  const claims = [...progress.keys()];
  const { rows } = await pool().query<Fence>({
    name: 'report_progress',
    text: `
      update requests r set progress = p.progress
      from unnest($1::uuid[], $2::int[], $3::float8[]) as p (id, claim, progress)
      where r.id = p.id and r.claim = p.claim and r.status in (${LIVE_LIST}) returning r.id, r.claim`,
    values: [claims.map(({ id }) => id), claims.map(({ claim }) => claim), [...progress.values()]],
  });
  const held = new Set(rows.map(nameOf));
  return claims.filter(claim => !held.has(nameOf(claim)));
}

/** Saves or clears the ref of the request's job at its engine. Returns false when the claim is lost. */
export async function saveEngineRef(claim: Claim, engineRef: EngineRef | null): Promise<boolean> {
  const written = await db().update(requests).set({ engineRef }).where(heldBy(claim)).returning({ id: requests.id });
  return written.length > 0;
}

/** Frees the request's place on its server while the output is stored; the finished job clears the server's trouble. */
export async function leavePlace(claim: Fence): Promise<void> {
  await db().execute(sql`
    with made as (update ${requests} set made_at = now() where ${heldBy(claim)} returning server)
    update servers s set trouble = null, trouble_at = null from made where s.id = made.server and s.trouble is not null`);
  ringDoorbell(WAITING_CHANNEL);
}

/** Number of failed attempts after which a request fails. */
export const MAX_ATTEMPTS = 3;
/** Number of interruptions after which a request fails, since it probably crashes the processes that run it. */
export const MAX_INTERRUPTIONS = 5;

/** Columns that a holder may change when it gives a request back. */
type Handover = Partial<Pick<Generation, 'fetched' | 'inputs' | 'body' | 'config' | 'attempts' | 'interruptions'>>;

/** Pause before a failed request is tried again. */
const PAUSE_MS = 1_000;

/** Gives a request back to wait again; its status is unchanged. Returns false when the claim is lost. */
export const giveBack = (claim: Fence, changes: Handover = {}): Promise<boolean> => letGo(claim, changes);

/** Gives a request back after an error, to be tried again after a pause by the database's clock. */
export const retryLater = (claim: Fence, changes: Handover = {}): Promise<boolean> =>
  letGo(claim, { ...changes, notBefore: sql`now() + ${PAUSE_MS} * interval '1 millisecond'` });

async function letGo(claim: Fence, changes: Handover & { notBefore?: SQL }): Promise<boolean> {
  const written = await db()
    .update(requests)
    .set({ ...changes, worker: null, progress: null, updatedAt: sql`now()` })
    .where(heldBy(claim))
    .returning({ fetched: requests.fetched });
  ringFor(written);
  return written.length > 0;
}

/** Milliseconds without a heartbeat after which a worker counts as dead. */
export const SILENCE_MS = 10_000;

/** Releases the requests of dead workers, to wait again. Returns their number. */
export async function recoverLost(): Promise<number> {
  const { rows } = await pool().query<Pick<Generation, 'fetched'>>(
    `update requests r set worker = null, progress = null, interruptions = interruptions + 1, updated_at = now()
    where status in (${LIVE_LIST}) and worker is not null
      and not exists (select from workers w where w.id = r.worker and w.seen_at > now() - $1 * interval '1 millisecond')
    returning fetched`,
    [SILENCE_MS],
  );
  ringFor(rows);
  return rows.length;
}
