import { pool } from '#lib/db/client';
import { log } from '#lib/log';
import { expireMedia } from '#lib/retention/expire-media';
import { forgetUploads } from '#lib/retention/forget-uploads';
import { sweepOrphans } from '#lib/retention/sweep-orphans';
import { sweepTemporary } from '#lib/retention/sweep-temporary';

interface Sweep {
  name: string;
  everySeconds: number;
  /** Gives the number of things it changed. Safe to repeat, and to run while anything else runs. */
  run: (now: Date) => Promise<number>;
}

/** What is done from time to time, by whichever worker comes first. */
const SWEEPS: Sweep[] = [
  {
    // the row is the truth and the job only delivers it: a live request that no job stands for gets one again
    name: 'requests without a job',
    everySeconds: 5,
    run: () =>
      execute(`select enqueue_generation(r.id, r.engine, r.account_id) from requests r
        where r.status in ('queued', 'in_progress') and r.updated_at < now() - interval '5 seconds'
          and not exists (select from pgboss.job j
            where j.name = 'generate.' || r.engine and j.id = r.id and j.state in ('created', 'retry', 'active'))`),
  },
  {
    name: 'workers that are gone',
    everySeconds: 60,
    run: () => execute(`delete from workers where seen_at < now() - interval '5 minutes'`),
  },
  {
    name: 'links that are over',
    everySeconds: 3_600,
    run: () => execute(`delete from secret_links where expires_at < now() - interval '30 days'`),
  },
  { name: 'expired media', everySeconds: 60, run: expireMedia },
  { name: 'abandoned and expired uploads', everySeconds: 60, run: forgetUploads },
  { name: 'temporary files of workers that are gone', everySeconds: 3_600, run: sweepTemporary },
  { name: 'files without a row', everySeconds: 3_600, run: sweepOrphans },
];

const execute = async (sql: string): Promise<number> => (await pool().query(sql)).rowCount ?? 0;

/** Starts the sweeps of this worker. Two workers never run the same one at the same time. */
export function startSweeps(): { stop(): Promise<void> } {
  const timers = SWEEPS.map(sweep => {
    let running: Promise<void> | undefined;
    const start = () => (running ??= attempt(sweep).finally(() => (running = undefined)));
    return { timer: setInterval(start, sweep.everySeconds * 1000), settled: async () => running };
  });
  return {
    async stop() {
      for (const { timer } of timers) clearInterval(timer);
      await Promise.all(timers.map(({ settled }) => settled()));
    },
  };
}

async function attempt({ name, run }: Sweep): Promise<void> {
  try {
    await alone(name, async () => {
      const changed = await run(new Date());
      if (changed) log().info({ sweep: name, changed }, 'sweep');
    });
  } catch (error) {
    log().warn({ err: error, sweep: name }, 'sweep failed');
  }
}

/** Holds the sweep's advisory lock on a connection of its own; another worker's turn is simply skipped. */
async function alone(name: string, use: () => Promise<void>): Promise<void> {
  const client = await pool().connect();
  try {
    const lock = [`pomona sweep ${name}`];
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock(hashtext($1)) as taken', lock);
    if (!rows[0]?.taken) return;
    try {
      await use();
    } finally {
      await client.query('select pg_advisory_unlock(hashtext($1))', lock);
    }
  } finally {
    client.release();
  }
}
