import { sql } from 'drizzle-orm';
import { AggregatorRegistry, Gauge, type Registry } from 'prom-client';
import { db, pool, type Tx } from '#lib/db/client';
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
const IS_PAST = sql`${processFigures.process} = ${PAST}`;
const LONG_GONE = sql`not ${IS_PAST} and ${processFigures.seenAt} < now() - interval '10 minutes'`;

/** This process, and all that it counts. */
const self = () =>
  singleton('http.self', () => {
    const { registry } = metrics();
    const registers = [registry];
    return {
      id: newId(),
      /** What was written of it last, as JSON: figures change with what they count. */
      written: null as string | null,
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
  const written = JSON.stringify(figures);
  const { rowCount } = await pool().query({
    name: 'write_figures',
    text: 'update process_figures set seen_at = now(), figures = $2 where process = $1',
    values: [id, written],
  });
  if (rowCount === 0) await beginFigures(figures);
  self().written = written;
}

/** The first figures of this process, or of one that was taken for gone, as in an outage: its counts are no longer of the past. */
async function beginFigures(figures: Figures): Promise<void> {
  const { id, written } = self();
  await aloneWithPast(async tx => {
    const begun = await tx
      .insert(processFigures)
      .values({ process: id, seenAt: sql`now()`, figures })
      .onConflictDoNothing()
      .returning({ process: processFigures.process });
    if (written && begun.length > 0) await takeFromPast(tx, JSON.parse(written) as Figures);
  });
}

/** Adds the counts of processes that are long gone to one row: there would be one for each start of each process. */
const foldFigures = () =>
  aloneWithPast(async tx => {
    const over = await tx.delete(processFigures).where(LONG_GONE).returning({ figures: processFigures.figures });
    if (over.length > 0)
      await addToPast(
        tx,
        over.map(({ figures }) => figures),
      );
  });

const aloneWithPast = (change: (tx: Tx) => Promise<void>) =>
  db().transaction(async tx => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('pomona.figures'))`);
    await change(tx);
  });

async function addToPast(tx: Tx, more: Figures[]): Promise<void> {
  const past = await tx.delete(processFigures).where(IS_PAST).returning();
  const counts = [...past.map(({ figures }) => figures), ...more].map(countsOf);
  const figures = await AggregatorRegistry.aggregate(counts).getMetricsAsJSON();
  await tx.insert(processFigures).values({ process: PAST, seenAt: sql`'-infinity'`, figures });
}

async function takeFromPast(tx: Tx, figures: Figures): Promise<void> {
  const negative = figures.map(one => ({ ...one, values: one.values.map(it => ({ ...it, value: -it.value })) }));
  const isThere = await tx.$count(processFigures, IS_PAST);
  if (isThere) await addToPast(tx, [negative]);
}

// the library's types have numbers where it gives words
const countsOf = (figures: Figures): Figures => figures.filter(({ type }) => String(type) !== 'gauge');
