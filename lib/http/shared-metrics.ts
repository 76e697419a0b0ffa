import { sql } from 'drizzle-orm';
import { AggregatorRegistry, Gauge, type Registry } from 'prom-client';
import { db, pool } from '#lib/db/client';
import { processFigures, type Figures } from '#lib/db/schema';
import { waitingPolls } from '#lib/generations/wait';
import { metrics } from '#lib/http/metrics';
import { newId } from '#lib/ids';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

const WRITE_EVERY_MS = 5_000;
/** Whose figures are older is gone: what it counted stays, what it had open does not. */
const GONE = sql`${processFigures.seenAt} < now() - interval '30 seconds'`;
/** Under which the counts of processes that are long gone are added up. */
const PAST = '00000000-0000-0000-0000-000000000000';
const LONG_GONE = sql`${processFigures.process} <> ${PAST} and ${processFigures.seenAt} < now() - interval '10 minutes'`;

/** This process, and all that it counts. */
const self = () =>
  singleton('http.self', () => {
    const { registry } = metrics();
    const registers = [registry];
    return {
      id: newId(),
      registry,
      polls: new Gauge({
        name: 'pomona_waiting_polls',
        help: 'Status polls that wait',
        registers,
        collect() {
          this.set(waitingPolls());
        },
      }),
      database: new Gauge({
        name: 'pomona_database_connections',
        help: 'Connections of the pools, and queries that wait for one',
        labelNames: ['state'] as const,
        registers,
        collect() {
          const { totalCount, idleCount, waitingCount } = pool();
          this.set({ state: 'busy' }, totalCount - idleCount);
          this.set({ state: 'idle' }, idleCount);
          this.set({ state: 'awaited' }, waitingCount);
        },
      }),
    };
  });

/**
 * Keeps the figures of this process where every process reads them, so that whichever is scraped tells of all. `only`: one figure. The others
 * are of web processes.
 */
export async function publishMetrics(only?: string): Promise<{ close(): Promise<void> }> {
  const publish = () =>
    Promise.all([writeFigures(only), foldFigures()]).catch((error: unknown) =>
      log().warn({ reason: (error as Error).message }, 'figures of this process not written'),
    );
  await publish();
  const timer = setInterval(() => void publish(), WRITE_EVERY_MS).unref();
  return {
    async close() {
      clearInterval(timer);
      await publish();
    },
  };
}

/** The figures of all web processes of the deployment, added up. */
export async function sumMetrics(): Promise<Registry> {
  // what others wrote is some seconds old, and is read as it stands: a sum of counts never falls
  await writeFigures();
  const rows = await db()
    .select({ figures: processFigures.figures, gone: sql<boolean>`${GONE}` })
    .from(processFigures);
  return AggregatorRegistry.aggregate(rows.map(({ figures, gone }) => (gone ? countsOf(figures) : figures)));
}

async function writeFigures(only?: string): Promise<void> {
  const { id, registry } = self();
  const all = await registry.getMetricsAsJSON();
  const figures = only === undefined ? all : all.filter(({ name }) => name === only);
  await pool().query({
    name: 'write_figures',
    text: `insert into process_figures (process, seen_at, figures) values ($1, now(), $2)
      on conflict (process) do update set seen_at = excluded.seen_at, figures = excluded.figures`,
    values: [id, JSON.stringify(figures)],
  });
}

/** Adds the counts of processes that are long gone to one row: there would be one for each start of each process. */
async function foldFigures(): Promise<void> {
  await db().transaction(async tx => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('pomona.figures'))`);
    const over = await tx.delete(processFigures).where(LONG_GONE).returning({ figures: processFigures.figures });
    if (over.length === 0) return;
    const past = await tx
      .delete(processFigures)
      .where(sql`${processFigures.process} = ${PAST}`)
      .returning();
    const counts = [...past, ...over].map(({ figures }) => countsOf(figures));
    const figures = await AggregatorRegistry.aggregate(counts).getMetricsAsJSON();
    await tx.insert(processFigures).values({ process: PAST, seenAt: sql`'-infinity'`, figures });
  });
}

// the library's types have numbers where it gives words
const countsOf = (figures: Figures): Figures => figures.filter(({ type }) => String(type) !== 'gauge');
