import { createHash, timingSafeEqual } from 'node:crypto';
import { Gauge, Registry } from 'prom-client';
import { pool } from '#lib/db/client';
import { env, isPrivate } from '#lib/env';
import { AppError } from '#lib/errors';
import { sumMetrics } from '#lib/http/shared-metrics';
import { liveIn } from '#lib/status';

const LAST_DAY = `from requests
  where id >= rpad(lpad(to_hex((extract(epoch from now() - interval '1 day') * 1000)::bigint), 12, '0'), 32, '0')::uuid`;

/** What the database knows of the whole deployment, read when it is scraped: labels, and `value`. */
const GAUGES: { name: string; help: string; labels: string[]; sql: string }[] = [
  {
    name: 'pomona_requests_last_day',
    help: 'Requests accepted in the last 24 hours, by state and architecture',
    labels: ['status', 'architecture'],
    sql: `select status, architecture, count(*) as value ${LAST_DAY} group by 1, 2`,
  },
  {
    name: 'pomona_gems_charged_last_day',
    help: 'Gems charged for requests of the last 24 hours, by architecture',
    labels: ['architecture'],
    sql: `select architecture, sum(gems) as value ${LAST_DAY} group by 1`,
  },
  {
    name: 'pomona_gems_refunded_last_day',
    help: 'Gems refunded for requests of the last 24 hours, by architecture',
    labels: ['architecture'],
    sql: `select architecture, sum(gems) filter (where refunded) as value ${LAST_DAY} group by 1`,
  },
  {
    name: 'pomona_queue_depth',
    help: 'Live requests, by engine and state',
    labels: ['engine', 'status'],
    sql: `select engine, status, count(*) as value from requests where ${liveIn()} group by 1, 2`,
  },
  {
    name: 'pomona_queue_oldest_seconds',
    help: 'Age of the oldest waiting request, by engine',
    labels: ['engine'],
    sql: `select engine, extract(epoch from now() - min(created_at)) as value from requests where status = 'queued' group by 1`,
  },
  {
    name: 'pomona_workers',
    help: 'Worker processes that live',
    labels: [],
    sql: `select count(*) as value from workers where seen_at > now() - interval '15 seconds'`,
  },
  {
    name: 'pomona_outbox_waiting',
    help: 'What is still to be done because requests became final, by consumer',
    labels: ['consumer'],
    sql: 'select consumer, count(*) as value from outbox group by 1',
  },
];

/** Throws unless the request carries METRICS_TOKEN. Without one set, only a deployment that this machine alone reaches answers. */
export function requireScraper(request: Request): void {
  const { METRICS_TOKEN } = env();
  const sent = request.headers.get('authorization') ?? '';
  const allowed = METRICS_TOKEN ? timingSafeEqual(digest(sent), digest(`Bearer ${METRICS_TOKEN}`)) : isPrivate(env());
  if (!allowed)
    throw new AppError('unauthorized', 'Set METRICS_TOKEN and send it in the header `Authorization: Bearer`.');
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** The figures of the whole deployment, as Prometheus reads them, whichever process is asked. */
export async function renderMetrics(): Promise<{ text: string; contentType: string }> {
  const registry = new Registry();
  const [counted] = await Promise.all([sumMetrics(), ...GAUGES.map(gauge => readGauge(gauge, registry))]);
  const merged = Registry.merge([counted, registry]);
  return { text: await merged.metrics(), contentType: merged.contentType };
}

async function readGauge({ name, help, labels, sql }: (typeof GAUGES)[number], registry: Registry): Promise<void> {
  const gauge = new Gauge({ name, help, labelNames: labels, registers: [registry] });
  const { rows } = await pool().query<Record<string, string | number>>(sql);
  for (const { value, ...found } of rows) gauge.set(found, Number(value ?? 0));
}
