import { pool } from '#lib/db/client';
import { log } from '#lib/log';

/** What is done from time to time, by whichever worker comes first; each is one statement that may run anywhere, any time. */
const SWEEPS: { name: string; everyMs: number; sql: string }[] = [
  {
    // the row is the truth and the job only delivers it: a live request that no job stands for gets one again
    name: 'requests without a job',
    everyMs: 5_000,
    sql: `select enqueue_generation(r.id, r.engine, r.account_id) from requests r
      where r.status in ('queued', 'in_progress') and r.updated_at < now() - interval '5 seconds'
        and pg_try_advisory_xact_lock(7605663)
        and not exists (select from pgboss.job j
          where j.name = 'generate.' || r.engine and j.id = r.id and j.state in ('created', 'retry', 'active'))`,
  },
  {
    name: 'workers that are gone',
    everyMs: 60_000,
    sql: `delete from workers where seen_at < now() - interval '5 minutes'`,
  },
];

/** Starts the sweeps of this worker. */
export function startSweeps(): { stop(): Promise<void> } {
  const timers = SWEEPS.map(({ name, everyMs, sql }) => {
    let under: Promise<void> | undefined;
    const run = async () => {
      try {
        const { rowCount } = await pool().query(sql);
        if (rowCount) log().info({ sweep: name, rows: rowCount }, 'sweep');
      } catch (error) {
        log().warn({ err: error, sweep: name }, 'sweep failed');
      }
    };
    const timer = setInterval(() => (under ??= run().finally(() => (under = undefined))), everyMs);
    return { timer, settled: () => under };
  });
  return {
    async stop() {
      for (const { timer } of timers) clearInterval(timer);
      await Promise.all(timers.map(({ settled }) => settled()));
    },
  };
}
