import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { listLedger } from '#lib/accounts/ledger';
import { keyFor } from '#lib/accounts/test-callers';
import { buildIndexes } from '#lib/db/build-indexes';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { cancelAll, cancelGeneration } from '#lib/generations/cancel';
import { listGenerations } from '#lib/generations/list';
import { findRequests } from '#lib/generations/oversee';
import { searchCreations } from '#lib/generations/search-creations';
import { removeGeneration } from '#lib/generations/remove';
import { submitGeneration } from '#lib/generations/submit';
import { checkHealth } from '#lib/http/health';
import { renderMetrics } from '#lib/http/scrape';
import { newId } from '#lib/ids';
import { claimGenerations, giveBack, heldBy, reportProgress, saveEngineRef, type Claim } from '#lib/life/claim';
import { finish } from '#lib/life/finish';
import { raiseExpiring } from '#lib/notices/raise-expiring';
import { takeDeliveries } from '#lib/webhooks/take-deliveries';
import { failUnserved } from '#lib/worker/fail-unserved';

await useOwnDatabase();
const folder = await mkdtemp(join(tmpdir(), 'pomona-history-'));
process.env.DATA_DIR = folder;
process.env.LOG_LEVEL = 'silent';
afterAll(() => rm(folder, { recursive: true }));

/** Maximum number of database pages that a statement may read for a few rows; a scan of the history reads thousands. */
const MOST_PAGES = 600;
const HISTORY = 15_000;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

interface Statement {
  text: string;
  pages: number;
  /** Indexes with which the statement finds requests by id. */
  byId: string[];
}

const scansById = (node: PlanNode): string[] => [
  ...(node['Relation Name'] === 'requests' && /\bid = /.test(`${node['Index Cond']} ${node.Filter}`)
    ? [node['Index Name'] ?? node['Node Type']]
    : []),
  ...(node.Plans ?? []).flatMap(scansById),
];

const statements: Statement[] = [];

/** Makes every further statement log its plan, including those within functions. */
async function explainAll(): Promise<void> {
  const url = new URL(process.env.DATABASE_URL!);
  const admin = new pg.Client(url.href);
  await admin.connect();
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    client_min_messages: 'log',
  };
  for (const [name, value] of Object.entries(settings))
    await admin.query(`alter database ${url.pathname.slice(1)} set ${name} = '${value}'`);
  await admin.end();
  pool().on('connect', client =>
    client.on('notice', ({ message }) => {
      const plan = /plan:\n([^]*)/.exec(message ?? '')?.[1];
      if (!plan) return;
      const { 'Query Text': text, Plan: top } = JSON.parse(plan) as { 'Query Text': string; Plan: PlanNode };
      // a function's count includes its statements, which are logged themselves
      if (top['Node Type'] === 'Function Scan') return;
      const pages = top['Shared Hit Blocks'] + top['Shared Read Blocks'];
      statements.push({ text: text.replaceAll(/\s+/g, ' '), pages, byId: scansById(top) });
    }),
  );
}

/** Creates two idle accounts with most of a long history, interleaved, an active account, and queues with a past. */
async function fill([idle, other, active]: [string, string, string]): Promise<void> {
  const client = new pg.Client(process.env.DATABASE_URL);
  await client.connect();
  await client.query('set auto_explain.log_min_duration = -1');
  const insert = (accounts: string[], count: number, rest: string, daysAgo: number) =>
    client.query(
      `insert into requests (id, account_id, architecture, model_id, type, engine, prompt, body, config, seed, output, inputs, gems, status, finished_at)
      select (lpad(to_hex(((extract(epoch from now()) - $3 * 86400) * 1000)::bigint + n), 12, '0') || '7000a' || substr(md5($1::text || n || $3), 1, 15))::uuid,
        ($1::uuid[])[1 + n % cardinality($1::uuid[])], (array['mango', 'papaya', 'lemon', 'z_image'])[1 + n / 2 % 4], 'v1', 'image', 'preview', 'a fig, number ' || n, '{}', '{}', 1, '{}',
        jsonb_build_array(jsonb_build_object('role', 'reference', 'mediaId', gen_random_uuid())), 1, ${rest}
      from generate_series(1, $2::int) n`,
      [accounts, count, daysAgo],
    );
  await insert([idle, other], 2 * HISTORY, `case when n % 100 = 0 then 'failed' else 'completed' end, now()`, 60);
  await insert([active], HISTORY, `'completed', now()`, 30);
  await client.query(
    `insert into ledger (account_id, kind, gems, balance_after)
    select account_id, case when n % 20 = 0 then 'refund' else 'charge' end, -1, 1
    from generate_series(1, $4::int) n, unnest(array[$1, $2, $3]::uuid[]) account_id order by account_id = $3::uuid, n`,
    [idle, other, active, HISTORY],
  );
  // results that expire soon, all notified already
  await client.query(
    `insert into media (id, account_id, kind, key, content_type, bytes, request_id, expires_at)
    select gen_random_uuid(), account_id, 'result', 'result/' || id || n || '.png', 'image/png', 1, id, now() + interval '5 days'
    from requests, generate_series(1, 2) n`,
  );
  await client.query(
    `insert into notices (id, account_id, kind, data) select gen_random_uuid(), id, 'media.expiring', '{}' from unnest($1::uuid[]) id`,
    [[idle, other, active]],
  );
  await client.query(
    `insert into recipe_runs (id, account_id, scope, recipe, name, steps, results, inputs, "values", prices)
    select gen_random_uuid(), $1, $1, 'storyboard', 'Storyboard', '[]', '[]', jsonb_build_object('shots', jsonb_build_array('shot ' || n)), '{}', '[]'
    from generate_series(1, $2::int) n`,
    [idle, HISTORY],
  );
  // messages to many servers, due for a later retry
  await client.query(
    `with hook as (insert into webhooks (id, account_id, events) values (gen_random_uuid(), $1, '{}') returning id)
    insert into webhook_deliveries (id, webhook_id, account_id, event, url, lane, body, due_at)
    select gen_random_uuid(), id, $1, 'request.completed', '', id || ' https://' || n || '.example', '', now() + interval '1 hour'
    from hook, generate_series(1, $2::int) n`,
    [idle, HISTORY],
  );
  await buildIndexes(undefined, { connectionString: process.env.DATABASE_URL });
  await client.query('vacuum analyze');
  await insert([active], HISTORY / 3, `'queued', null`, 2);
  await client.query(`update requests set status = 'cancelled', finished_at = now() where status = 'queued'`);
  await client.end();
}

test('no statement for submitting, running or listing requests scans the history or past entries of the queue', async () => {
  await explainAll();
  const accounts: string[] = [];
  // in this order, ownership of rows is unrelated to their physical order, as with many accounts
  for (const email of ['idle@example.com', 'active@example.com', 'other@example.com'])
    accounts.push((await createAccount({ email, gems: 1_000_000 })).id);
  const [idle, active, other] = accounts as [string, string, string];
  await fill([idle, other, active]);
  const caller = await keyFor(active);
  statements.length = 0;

  const body = () => Promise.resolve({ prompt: 'dusk' });
  const submit = async () => (await submitGeneration({ caller, architectureId: 'z_image', body })).generation.id;
  const claim = async (id: string) =>
    (await claimGenerations(newId(), [{ id, engine: 'preview', server: 'preview/1', places: null }]))[0] as Claim;
  const held = await claim(await submit());
  await saveEngineRef(held, { id: 'job' });
  await reportProgress(new Map([[held, 0.5]]));
  await giveBack(held);
  await finish(heldBy(await claim(held.id)), { status: 'failed', message: 'no', cause: 'test' });
  await cancelGeneration(active, await submit());
  // several at once, which are processed in one batch
  await Promise.all([submit(), submit(), submit()]);
  await cancelAll({ accountId: active });
  await pool().query(`update requests set line = 'gone' where id = $1`, [await submit()]);
  await pool().query(`insert into settings (name, value) values ('unserved_lines', '{"gone": 10}')`);
  expect(await failUnserved()).toBe(1);

  const input = newId();
  await pool().query(
    `insert into media (id, account_id, kind, key, content_type, bytes, expires_at)
    values ($1, $2, 'input', 'input/taken.png', 'image/png', 1, now() + interval '29 days')`,
    [input, idle],
  );
  const { rows } = await pool().query<{ id: string }>(
    `update requests set inputs = jsonb_set(inputs, '{0,mediaId}', to_jsonb($2::text))
    where id = (select id from requests where account_id = $1 order by id limit 1) returning id`,
    [idle, input],
  );
  await removeGeneration(idle, rows[0]!.id);
  expect((await pool().query('select from media where id = $1 and expires_at < now()', [input])).rowCount).toBe(1);

  const filters = [
    {},
    { status: ['failed'] },
    { status: ['queued', 'in_progress'] },
    { status: ['completed'], type: ['image'] },
    { architecture: 'papaya' },
    { q: 'fig' },
    { mention: 'nobody' },
    { favourite: true },
    { expiring: true },
  ] as const;
  // also a page of more rows than the planner expects of an account
  for (const limit of [5, 50]) {
    for (const filter of filters) await listGenerations(idle, { limit, ...filter } as never);
    await listLedger(idle, { limit });
    await listLedger(idle, { limit, kind: 'refund' });
  }
  await searchCreations(idle, 'fig', { limit: 5 });
  for (const view of ['live', 'stuck', 'failed', 'all'] as const)
    await findRequests({ view, accountId: idle, limit: 5 });
  await checkHealth();
  await renderMetrics();
  expect(await raiseExpiring(new Date())).toBe(0);
  expect(await takeDeliveries({ failing: false, most: 10, underWay: new Map(), ofAccount: new Map() })).toEqual([]);

  expect(statements.length).toBeGreaterThan(40);
  expect(statements.some(({ text }) => text.includes('accepted AS ('))).toBe(true);
  expect(statements.filter(({ pages }) => pages > MOST_PAGES)).toEqual([]);
  // partial indexes on waiting or live requests look empty to the planner, but are full of entries of past ones
  expect(statements.filter(({ byId }) => byId.some(index => index !== 'requests_pkey'))).toEqual([]);
});
