import { Gauge, Registry } from 'prom-client';
import { pool } from '#lib/db/client';
import { env, isPrivate } from '#lib/env';
import { AppError } from '#lib/errors';
import { countWorkers } from '#lib/http/health';
import { lowestIdAt } from '#lib/ids';
import { readLiveLoads } from '#lib/life/live-loads';
import { remembered } from '#lib/remembered';
import { sumMetrics } from '#lib/http/shared-metrics';
import { isSameSecret } from '#lib/secrets';

interface Reading {
  /** A query, or a function that returns the rows. */
  rows: string | (() => Promise<Row[]>);
  /** Gauges, each of which sums the column `value` of the rows by `labels`. */
  gauges: { name: string; help: string; labels: string[]; value: string }[];
}

/** Metrics that are read from the database at each scrape, for the whole deployment. */
const READINGS: Reading[] = [
  {
    // remembered, because a busy day has many rows
    rows: () => remembered('metrics: last day', 60_000, readLastDay),
    gauges: [
      {
        name: 'pomona_requests_last_day',
        help: 'Requests accepted in the last 24 hours, by state and architecture',
        labels: ['status', 'architecture'],
        value: 'requests',
      },
      {
        name: 'pomona_gems_charged_last_day',
        help: 'Gems charged for requests of the last 24 hours, by architecture',
        labels: ['architecture'],
        value: 'charged',
      },
      {
        name: 'pomona_gems_refunded_last_day',
        help: 'Gems refunded for requests of the last 24 hours, by architecture',
        labels: ['architecture'],
        value: 'refunded',
      },
    ],
  },
  {
    rows: async () =>
      (await readLiveLoads()).flatMap(({ engine, queued, in_progress, oldest }) => [
        { engine, status: 'queued', count: queued, oldest },
        { engine, status: 'in_progress', count: in_progress, oldest: null },
      ]),
    gauges: [
      {
        name: 'pomona_queue_depth',
        help: 'Live requests, by engine and state',
        labels: ['engine', 'status'],
        value: 'count',
      },
      {
        name: 'pomona_queue_oldest_seconds',
        help: 'Age of the oldest waiting request, by engine',
        labels: ['engine'],
        value: 'oldest',
      },
    ],
  },
  {
    rows: async () => [{ count: await countWorkers() }],
    gauges: [{ name: 'pomona_workers', help: 'Worker processes that live', labels: [], value: 'count' }],
  },
  {
    rows: `select engine, case when not ok then 'silent' when trouble is not null then 'failing' else 'well' end as state, count(*)
      from servers group by 1, 2`,
    gauges: [
      {
        name: 'pomona_servers',
        help: 'Servers of engines, by engine and state: well, silent (it does not answer), failing (it answers, and its last job came to nothing by its fault)',
        labels: ['engine', 'state'],
        value: 'count',
      },
    ],
  },
  {
    rows: 'select consumer, count(*) from outbox group by 1',
    gauges: [
      {
        name: 'pomona_outbox_waiting',
        help: 'What is still to be done because requests became final, by consumer',
        labels: ['consumer'],
        value: 'count',
      },
    ],
  },
];

/** Throws `unauthorized` unless the request carries METRICS_TOKEN. Without one, only a private deployment answers. */
export function requireScraper(request: Request): void {
  const { METRICS_TOKEN } = env();
  const sent = request.headers.get('authorization') ?? '';
  const allowed = METRICS_TOKEN ? isSameSecret(sent, `Bearer ${METRICS_TOKEN}`) : isPrivate(env());
  if (!allowed)
    throw new AppError('unauthorized', 'Set METRICS_TOKEN and send it in the header `Authorization: Bearer`.');
}

/** Returns the metrics of the whole deployment in Prometheus format, from any of its processes. */
export async function renderMetrics(): Promise<{ text: string; contentType: string }> {
  const registry = new Registry();
  const [counted] = await Promise.all([sumMetrics(), ...READINGS.map(reading => addGauges(reading, registry))]);
  const merged = Registry.merge([counted, registry]);
  return { text: await merged.metrics(), contentType: merged.contentType };
}

async function readLastDay(): Promise<Row[]> {
  const { rows } = await pool().query<Row>(
    `select status, architecture, count(*) as requests, sum(gems) as charged, sum(gems) filter (where refunded) as refunded
    from requests where id >= $1 group by 1, 2`,
    [lowestIdAt(new Date(Date.now() - 24 * 3_600_000))],
  );
  return rows;
}

async function addGauges({ rows: source, gauges }: Reading, registry: Registry): Promise<void> {
  const rows = typeof source === 'function' ? await source() : (await pool().query<Row>(source)).rows;
  for (const { name, help, labels, value } of gauges) {
    const gauge = new Gauge({ name, help, labelNames: labels, registers: [registry] });
    for (const row of rows)
      gauge.inc(Object.fromEntries(labels.map(label => [label, row[label] ?? ''])), Number(row[value] ?? 0));
  }
}

type Row = Record<string, string | number | null>;
