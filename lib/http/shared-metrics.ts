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
/** Processes without recent figures have ended: their counters stay in the sums, their gauges are dropped. */
const GONE = sql`${processFigures.seenAt} < now() - interval '30 seconds'`;
/** Id of the row that sums the counters of processes that ended long ago. */
const PAST = '00000000-0000-0000-0000-000000000000';
const IS_PAST = sql`${processFigures.process} = ${PAST}`;
const LONG_GONE = sql`not ${IS_PAST} and ${processFigures.seenAt} < now() - interval '10 minutes'`;

/** This process, with its registry. */
const self = () =>
  singleton('http.self', () => {
    const { registry } = metrics();
    const registers = [registry];
    return {
      id: newId(),
      /** Metrics that this process wrote last, as JSON: the live objects change as they count. */
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
 * Publishes the metrics of this process in the database, so that any process can be scraped for all. `only` restricts
 * them to one metric; the others concern web processes.
 */
export async function publishMetrics(only?: string): Promise<{ close(): Promise<void> }> {
  const publish = () =>
    Promise.all([writeFigures(only), foldFigures()]).catch((error: unknown) =>
      log().warn({ reason: (error as Error).message }, 'metrics of this process not written'),
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

/** Returns the sum of the metrics of all processes of the deployment. */
export async function sumMetrics(): Promise<Registry> {
  // figures of other processes are a few seconds old and summed as they are, so counters never decrease
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

/** Inserts the row of this process. If it was folded into the past, as after an outage, subtracts its counts there. */
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

/** Folds the counters of processes that ended long ago into one row; otherwise every start would leave a row behind. */
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

// prom-client's types declare numbers where its JSON has strings
const countsOf = (figures: Figures): Figures => figures.filter(({ type }) => String(type) !== 'gauge');
