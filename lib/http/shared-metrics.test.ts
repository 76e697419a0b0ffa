import { expect, test } from 'vitest';
import { pool } from '#lib/db/client';
import type { Figures } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { metrics, observeHttp } from '#lib/http/metrics';
import { publishMetrics, sumMetrics } from '#lib/http/shared-metrics';
import { LIMIT_METRIC, noteLimit } from '#lib/limits';
import { singletons } from '#lib/singleton';

await useOwnDatabase();

const PATH = '/v1/account';

/** Adds another process, last seen this long ago, with two internal errors and three open connections. */
const addProcess = (lastSeen: string) =>
  pool().query(
    `insert into process_figures (process, seen_at, figures) values (gen_random_uuid(), now() - $1::interval, $2)`,
    [
      lastSeen,
      JSON.stringify([
        {
          name: 'pomona_internal_errors_total',
          help: '',
          type: 'counter',
          aggregator: 'sum',
          values: [{ value: 2, labels: {} }],
        },
        {
          name: 'pomona_open_connections',
          help: '',
          type: 'gauge',
          aggregator: 'sum',
          values: [{ value: 3, labels: {} }],
        },
      ]),
    ],
  );

const figure = async (name: string) => {
  const text = await (await sumMetrics()).metrics();
  return Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)`, 'm').exec(text)?.[1]);
};

test('sums of counters include ended processes, sums of gauges only live ones', async () => {
  const publishing = await publishMetrics();
  observeHttp('GET', PATH, 200, 1);
  metrics().errors.inc();
  metrics().connections.set(1);
  expect(await figure('pomona_http_request_duration_seconds_count')).toBe(1);
  expect(await figure('pomona_http_request_duration_seconds_sum')).toBe(0.001);
  await addProcess('1 second');
  expect(await figure('pomona_internal_errors_total')).toBe(3);
  expect(await figure('pomona_open_connections')).toBe(4);
  await addProcess('1 minute');
  expect(await figure('pomona_internal_errors_total')).toBe(5);
  expect(await figure('pomona_open_connections')).toBe(4);
  await publishing.close();
});

test('processes that ended long ago are merged into one row, and their counters stay in the sums', async () => {
  await addProcess('20 minutes');
  await addProcess('1 hour');
  const before = await figure('pomona_internal_errors_total');
  for (let start = 0; start < 2; start++) await (await publishMetrics()).close();
  const { rows } = await pool().query(`select from process_figures where seen_at < now() - interval '10 minutes'`);
  expect(rows).toHaveLength(1);
  expect(await figure('pomona_internal_errors_total')).toBe(before);
});

/** Runs `act` as another process that has counted nothing. */
async function asAnother(act: () => Promise<void>): Promise<void> {
  const own = singletons.get('http.self') as object;
  singletons.set('http.self', { ...own, id: crypto.randomUUID(), written: null });
  await act().finally(() => singletons.set('http.self', own));
}

test('a process that was presumed ended is not counted twice when it returns', async () => {
  metrics().errors.inc(3);
  const before = await figure('pomona_internal_errors_total');
  const count = await figure('pomona_http_request_duration_seconds_count');
  await pool().query(
    `update process_figures set seen_at = now() - interval '11 minutes' where seen_at > now() - interval '1 minute'`,
  );
  await asAnother(async () => (await publishMetrics(LIMIT_METRIC)).close());
  metrics().errors.inc();
  const told = await Promise.all([1, 2, 3].map(() => figure('pomona_internal_errors_total')));
  expect(told).toEqual([before + 1, before + 1, before + 1]);
  expect(await figure('pomona_http_request_duration_seconds_count')).toBe(count);
});

test('a worker publishes only the metric of limits', async () => {
  await pool().query('delete from process_figures');
  noteLimit('LIMIT_DECODES');
  // published twice, but counted once
  await (await publishMetrics(LIMIT_METRIC)).close();
  const { rows } = await pool().query<{ figures: Figures }>('select figures from process_figures');
  expect(rows[0]!.figures.map(({ name }) => name)).toEqual([LIMIT_METRIC]);
  expect(rows[0]!.figures[0]!.values).toContainEqual({ value: 1, labels: { limit: 'LIMIT_DECODES' } });
});
