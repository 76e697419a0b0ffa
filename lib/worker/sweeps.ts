import { hostname } from 'node:os';
import { sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { copyPublished } from '#lib/cast/publish';
import { buildIndexes } from '#lib/db/build-indexes';
import { pool } from '#lib/db/client';
import { deleteInPortions } from '#lib/db/in-portions';
import { deliveries, notices, secretLinks, sessions, submissions, workers } from '#lib/db/schema';
import { recoverLost } from '#lib/life/claim';
import { forgetFrames } from '#lib/life/frames';
import { log } from '#lib/log';
import { orderMissingForms } from '#lib/media/order-forms';
import { forgetOauthRecords } from '#lib/retention/forget-oauth-records';
import { forgetRefusals } from '#lib/retention/forget-refusals';
import { raiseExpiring } from '#lib/notices/raise-expiring';
import { announceRetired } from '#lib/worker/announce-retired';
import { failUnserved } from '#lib/worker/fail-unserved';
import { expireMedia } from '#lib/retention/expire-media';
import { forgetUploads } from '#lib/retention/forget-uploads';
import { sweepOrphans } from '#lib/retention/sweep-orphans';
import { sweepTemporary } from '#lib/retention/sweep-temporary';

interface Sweep {
  name: string;
  everySeconds: number;
  /**
   * Returns the number of changes. Must be idempotent and safe to run concurrently with everything else. `now` is the
   * database's time: a machine whose clock runs ahead must not delete files early.
   */
  run: (now: Date, stopped: AbortSignal) => Promise<number>;
  /** Whether, after an outage of the database, the sweep waits until other workers could write what they hold. */
  needsSteady?: true;
}

/** Returns a sweep that deletes the rows of a table that match `over`, a condition by the database's clock. */
const forget =
  (table: PgTable, over: string): Sweep['run'] =>
  (_now, stopped) =>
    deleteInPortions(table, sql.raw(over), stopped);

/** Periodic tasks; each run is made by whichever worker is first. */
const SWEEPS: Sweep[] = [
  { name: 'requests of workers that are gone', everySeconds: 3, run: recoverLost, needsSteady: true },
  {
    name: 'workers that are gone',
    everySeconds: 60,
    run: forget(workers, `seen_at < now() - interval '5 minutes'`),
  },
  { name: 'frames of what is final', everySeconds: 60, run: forgetFrames },
  {
    name: 'idempotency keys that are over',
    everySeconds: 600,
    run: forget(submissions, `created_at < now() - interval '30 days'`),
  },
  { name: 'refusals that are over', everySeconds: 600, run: forgetRefusals },
  {
    name: 'requests that nothing serves any more',
    everySeconds: 60,
    run: failUnserved,
  },
  {
    name: 'links that are over',
    everySeconds: 3_600,
    run: forget(
      secretLinks,
      `expires_at < now() - case when kind in ('passkey_add', 'passkey_use') then interval '0' else interval '30 days' end`,
    ),
  },
  {
    name: 'sessions that are over',
    everySeconds: 3_600,
    run: forget(sessions, 'expires_at < now()'),
  },
  { name: 'codes, tokens and apps that are over', everySeconds: 600, run: forgetOauthRecords },
  {
    name: 'deliveries that are over',
    everySeconds: 600,
    run: forget(deliveries, `finished_at < now() - interval '14 days'`),
  },
  {
    name: 'notices that are over',
    everySeconds: 3_600,
    run: forget(notices, `created_at < now() - interval '90 days'`),
  },
  { name: 'architectures that were retired', everySeconds: 10, run: announceRetired },
  { name: 'media that expire soon', everySeconds: 3_600, run: raiseExpiring },
  { name: 'files without smaller forms', everySeconds: 600, run: orderMissingForms },
  { name: 'public characters without copies', everySeconds: 3_600, run: copyPublished },
  { name: 'expired media', everySeconds: 60, run: expireMedia },
  { name: 'abandoned and expired uploads', everySeconds: 60, run: forgetUploads },
  { name: `temporary files on ${hostname()}`, everySeconds: 3_600, run: () => sweepTemporary(new Date()) },
  { name: 'indexes of large tables', everySeconds: 3_600, run: (_now, stopped) => buildIndexes(stopped) },
  { name: 'files without a row', everySeconds: 3_600, run: sweepOrphans, needsSteady: true },
];

/** Interval at which a process checks which sweeps are due. */
const LOOK_EVERY_MS = 1_500;

/**
 * Starts the sweeps. Each due sweep is run by one of all workers; if that worker ends first, the sweep runs again at
 * its next time. `isSteady`: see `Presence`.
 */
export function startSweeps(isSteady: () => boolean): { stop(): Promise<void> } {
  const running = new Set<Promise<void>>();
  /** Names of the sweeps in progress, so that a slow sweep is not started a second time. */
  const underWay = new Set<string>();
  const stopped = new AbortController();
  const timer = setInterval(() => track(startDue()), LOOK_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      stopped.abort();
      while (running.size) await Promise.all(running);
    },
  };

  function track(work: Promise<void>): void {
    running.add(work);
    void work.finally(() => running.delete(work));
  }

  async function sweepNow(sweep: Sweep, now: Date): Promise<void> {
    underWay.add(sweep.name);
    await attempt(sweep, now, stopped.signal);
    underWay.delete(sweep.name);
  }

  async function startDue(): Promise<void> {
    const isAble = ({ name, needsSteady }: Sweep) => !underWay.has(name) && (!needsSteady || isSteady());
    const able = SWEEPS.filter(isAble);
    try {
      const due = await takeDue(able);
      // not awaited, so that a slow sweep does not delay the others
      for (const sweep of able) {
        const now = due.get(sweep.name);
        // checked again: the query may have taken long in an outage of the database
        if (now && isAble(sweep)) track(sweepNow(sweep, now));
      }
    } catch (error) {
      log().warn({ err: error }, 'due sweeps not read');
    }
  }
}

/** Takes the due sweeps and schedules their next run. Returns the database's time for each, by name. */
async function takeDue(sweeps: readonly Sweep[]): Promise<Map<string, Date>> {
  const { rows } = await pool().query<{ name: string; now: Date }>({
    name: 'take_due',
    text: `
      insert into schedules as s (name, due_at)
      select name, now() + seconds * interval '1 second' from unnest($1::text[], $2::int[]) as wanted (name, seconds)
      where not exists (select from schedules where schedules.name = wanted.name and due_at > now())
      on conflict (name) do update set due_at = excluded.due_at where s.due_at <= now()
      returning name, now()`,
    values: [sweeps.map(({ name }) => name), sweeps.map(({ everySeconds }) => everySeconds)],
  });
  return new Map(rows.map(({ name, now }) => [name, now]));
}

async function attempt({ name, run }: Sweep, now: Date, stopped: AbortSignal): Promise<void> {
  try {
    const changed = await run(now, stopped);
    if (changed) log().info({ sweep: name, changed }, 'sweep');
  } catch (error) {
    log().warn({ err: error, sweep: name }, 'sweep failed');
  }
}
