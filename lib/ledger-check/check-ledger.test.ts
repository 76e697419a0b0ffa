import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { checkLedger } from '#lib/ledger-check/check-ledger';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { newId } from '#lib/ids';
import type { Storage } from '#lib/storage/storage';

await useOwnDatabase();

let account: string;
let ids: Record<'queued' | 'in_progress' | 'completed' | 'failed' | 'cancelled', string>;
let output: string;

const sql = (text: string, values: unknown[] = []) => pool().query(text, values);
const broken = async () => (await checkLedger()).filter(report => !report.ok).map(report => report.invariant);

/** Id of a worker started in 2025, and a statement that leaves a request as a dead worker does. */
const LONG_AGO = '01990000-0000-7000-8000-000000000000';
const LEFT = `update requests set worker = gen_random_uuid(), updated_at = now() - interval '3 minutes' where status = 'in_progress'`;

// these tests break the ledger in ways that the trigger prevents
beforeAll(() => sql('alter table ledger disable trigger ledger_append_only'));

/** Creates an account with one request in each state, without any breach. */
beforeEach(async () => {
  await sql('truncate accounts, ledger, submissions, workers cascade');
  account = (await createAccount({ email: 'ada@example.com', gems: 100 })).id;
  const key = (await createApiKey(account, { name: 'laptop' })).id;
  ids = { queued: newId(), in_progress: newId(), completed: newId(), failed: newId(), cancelled: newId() };
  output = newId();
  for (const [status, id] of Object.entries(ids)) {
    const final = !['queued', 'in_progress'].includes(status);
    await sql(
      `insert into requests (id, account_id, api_key_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output,
        gems, refunded, result, error_message, finished_at)
      values ($1, $2, $3, $4, 'mango', 'mango', 'image', 'builtin', 'a pear', '{}', '{}', 1, '{}', 10, $5, $6, $7, $8)`,
      [
        id,
        account,
        key,
        status,
        status === 'failed',
        status === 'completed' ? { mediaId: output } : null,
        status === 'failed' ? 'it broke' : null,
        final ? new Date(Date.now() + 60_000) : null,
      ],
    );
    await move(id, 'charge', -10);
    if (status === 'failed') await move(id, 'refund', 10);
    await sql('insert into submissions (scope, key, request_id) values ($1, $2, $3)', [key, status, id]);
  }
  await sql(
    `insert into media (id, account_id, kind, key, content_type, bytes, request_id)
    values ($1, $2, 'result', 'results/pear.png', 'image/png', 5, $3)`,
    [output, account, ids.completed],
  );
  await sql(
    `with refused as (
      insert into refusals (request_id, account_id, architecture, model_id, type, prompt, status, body)
      values (gen_random_uuid(), $1, 'mango', 'mango', 'image', 'a pear', 402, '{}') returning request_id
    ) insert into submissions (scope, key, request_id) select $1, 'poor', request_id from refused`,
    [account],
  );
});

async function move(request: string | null, kind: string, gems: number) {
  await sql(
    `with moved as (update accounts set balance = balance + $3 where id = $4 returning balance)
    insert into ledger (account_id, request_id, kind, gems, balance_after) select $4, $1, $2, $3, balance from moved`,
    [request, kind, gems, account],
  );
}

test('an intact database passes every invariant', async () => {
  const reports = await checkLedger();
  expect(reports.map(report => report.invariant)).toEqual([
    'I1',
    'I2',
    'I3',
    'I4',
    'I5',
    'I6',
    'I7',
    'I8',
    'I9',
    'I11',
    'I12',
    'I13',
  ]);
  expect(reports.filter(report => !report.ok)).toEqual([]);
});

const media = (requestId: string) =>
  `insert into media (id, account_id, kind, key, content_type, bytes, request_id)
  select gen_random_uuid(), account_id, 'result', gen_random_uuid()::text, 'image/png', 1, ${requestId} from requests`;

const FORM = newId();

/** SQL that inserts a rendition with the id `id`, and an upload that refers to the rendition `named`. */
const form = (id: string, named: string) =>
  `insert into media (id, account_id, kind, key, content_type, bytes, forms, expires_at)
  select uuid '${id}', id, 'preview', 'preview/a.webp', 'image/webp', 1, null, null from accounts
  union all select gen_random_uuid(), id, 'upload', 'upload/a.png', 'image/png', 1,
    jsonb_build_object('renditions', jsonb_build_array(jsonb_build_object('mediaId', '${named}'))), now() from accounts`;

/** SQL that turns outputs that are not their request's result into smaller forms. */
const AS_FORM = `update media m set kind = 'preview' from requests r where r.id = m.request_id and r.result ->> 'mediaId' <> m.id::text`;

/** SQL that ends a request whose webhook is told nothing. */
const UNTOLD = `
  with standing as (insert into webhooks (id, account_id, events, created_at)
    select gen_random_uuid(), id, '{}', now() - interval '1 day' from accounts)
  update requests set webhook = 'https://example.com/', finished_at = now() where status = 'completed'`;

/** A manual change of the database, and the invariants that it breaks. */
test.each<[string, string[], string]>([
  ['a balance below 0', ['I1', 'I2'], 'update accounts set balance = -1'],
  ['a ledger that went below 0', ['I1', 'I2'], `update ledger set balance_after = -1 where kind = 'refund'`],
  ['a balance without its row', ['I2'], 'update accounts set balance = balance + 1'],
  ['an opening row that vanished', ['I2'], `delete from ledger where kind = 'opening'`],
  [
    'a link of the chain that is wrong',
    ['I2'],
    `update ledger set balance_after = balance_after + 1 where kind = 'opening'`,
  ],
  [
    'a charge that vanished',
    ['I2', 'I3'],
    `delete from ledger where kind = 'charge' and request_id = (select id from requests where status = 'queued')`,
  ],
  ['a charge that is not the price', ['I3', 'I13'], `update requests set gems = 11 where status = 'completed'`],
  ['a refund that is not the price', ['I3', 'I4'], `update requests set gems = 11 where status = 'failed'`],
  [
    'a charge for no request',
    ['I3', 'I13'],
    `update ledger set request_id = gen_random_uuid() where kind = 'charge' and request_id = (select id from requests where status = 'cancelled'); delete from submissions; delete from requests where status = 'cancelled'`,
  ],
  ['a failure without its refund', ['I4'], `update ledger set kind = 'grant', request_id = null where kind = 'refund'`],
  [
    'a failure that does not say it was refunded',
    ['I4', 'I13'],
    `update requests set refunded = false where status = 'failed'`,
  ],
  [
    'a refund of a live request',
    ['I4', 'I13'],
    `update requests set status = 'queued', error_message = null, finished_at = null where status = 'failed'`,
  ],
  [
    'a refund of a cancelled request',
    ['I5', 'I13'],
    `update requests set status = 'cancelled', error_message = null, refunded = false where status = 'failed'`,
  ],
  [
    'a completed request that says it was refunded',
    ['I5', 'I13'],
    `update requests set refunded = true where status = 'completed'`,
  ],
  ['more live requests than the limit', ['I6'], 'update accounts set in_flight_limit = 1'],
  [
    'a request that never ends',
    ['I6', 'I13'],
    `update requests set created_at = now() - interval '25 hours' where status = 'in_progress'`,
  ],
  ['a final request without an end', ['I7'], `update requests set finished_at = null where status = 'cancelled'`],
  [
    'a live request with an end',
    ['I7'],
    `update requests set finished_at = now() + interval '1 minute' where status = 'queued'`,
  ],
  [
    'a completed request without a result',
    ['I7', 'I9'],
    `update requests set result = null where status = 'completed'`,
  ],
  ['a failure without its reason', ['I7'], `update requests set error_message = null where status = 'failed'`],
  [
    'an end before the beginning',
    ['I7'],
    `update requests set finished_at = created_at - interval '1 second' where status = 'failed'`,
  ],
  [
    'an answer whose request is gone',
    ['I8'],
    `update submissions set request_id = gen_random_uuid() where key = 'queued'`,
  ],
  [
    'a refusal with a request',
    ['I8'],
    `update refusals set request_id = (select request_id from submissions where key = 'queued')`,
  ],
  ['a refusal that was not kept', ['I8'], 'delete from refusals'],
  [
    'a request with two keys',
    ['I8'],
    `update submissions set request_id = (select id from requests where status = 'failed') where key = 'completed'`,
  ],
  ['a completed request without its output', ['I9'], 'delete from media'],
  ['a second output', ['I9'], `${media('id')} where status = 'completed'`],
  ['an output of a cancelled request', ['I9'], `${media('id')} where status = 'cancelled'`],
  ['an output of a live request', ['I9'], `${media('id')} where status = 'in_progress'`],
  [
    'a request that failed because a process was restarted',
    ['I12'],
    `update requests set failure_cause = 'engine_error: what held it ended 5 times', interruptions = 1 where status = 'failed'`,
  ],
  [
    'a final request that is held',
    ['I12'],
    `update requests set worker = gen_random_uuid() where status = 'cancelled'`,
  ],
  ['a request that is not counted', ['I13'], 'update usage set requests = requests - 1'],
  ['requests without their usage', ['I13'], 'delete from usage'],
  ['usage without its requests', ['I13'], `update usage set day = day + 1`],
  [
    'a request in the hands of nobody',
    ['I12'],
    `with other as (insert into workers (id, host, pid) values ('${LONG_AGO}', 'here', 1)) ${LEFT}`,
  ],
  ['an end that nobody is told of', ['I11'], UNTOLD],
  [
    'a message that waits for nothing',
    ['I11'],
    `${UNTOLD}; insert into webhook_deliveries (id, webhook_id, account_id, source_id, event, url, lane, body, status, due_at)
    select gen_random_uuid(), w.id, r.account_id, r.id, 'request.completed', r.webhook, '', '', 'pending', null
    from webhooks w, requests r where r.webhook is not null`,
  ],
  ['a smaller form of another output', ['I9'], `${media('id')} where status = 'completed'; ${AS_FORM}`],
  ['a smaller form of no file', ['I9'], form(newId(), newId())],
  ['a smaller form that outlives its file', ['I9'], form(FORM, FORM)],
  ['an output of no request', ['I9'], `${media('gen_random_uuid()')} where status = 'queued'`],
])('%s breaks the invariants %j', async (_, invariants, breakage) => {
  await sql('alter table accounts drop constraint accounts_balance_not_negative');
  await sql('alter table ledger drop constraint ledger_balance_not_negative');
  try {
    await sql(breakage);
    expect(await broken()).toEqual(invariants);
  } finally {
    await sql('truncate accounts, ledger, submissions cascade');
    await sql('alter table accounts add constraint accounts_balance_not_negative check (balance >= 0)');
    await sql('alter table ledger add constraint ledger_balance_not_negative check (balance_after >= 0)');
  }
});

test.each([
  ['an output that was removed', 'update media set deleted_at = now()'],
  ['answers and books of an account that is gone', 'delete from accounts'],
  [
    'books of an account that is being deleted',
    `insert into outbox (consumer, request_id) select 'accounts', id from accounts; delete from submissions; delete from requests`,
  ],
  [
    'more live requests than a limit that was lowered since',
    `update accounts set in_flight_limit = 1, limited_at = now() + interval '1 second'`,
  ],
  [
    'a smaller form as an earlier version stored it',
    `${media('id')} where status = 'completed'; ${AS_FORM};
    update requests r set result = result || jsonb_build_object('preview', jsonb_build_object('mediaId', m.id))
    from media m where m.request_id = r.id and m.kind = 'preview'`,
  ],
  [
    'an end that is about to be told',
    `${UNTOLD}; insert into outbox (consumer, request_id) select 'webhooks', id from requests where webhook is not null`,
  ],
  [
    'a request that took five processes down',
    `update requests set failure_cause = 'engine_error: what held it ended 5 times', interruptions = 5 where status = 'failed'`,
  ],
  [
    'a request that is held for a long time',
    `with w as (insert into workers (id, host, pid) values ('${newId()}', 'here', 1) returning id)
    update requests set worker = w.id, updated_at = now() - interval '3 minutes' from w where status = 'in_progress'`,
  ],
  ['a request of a backup, while no worker runs', LEFT],
  [
    'a request of a backup, when a worker has just begun',
    `with begun as (insert into workers (id, host, pid) values ('${newId()}', 'here', 1)) ${LEFT}`,
  ],
])('%s breaks no invariant', async (_, change) => {
  await sql(change);
  expect(await broken()).toEqual([]);
});

test('every breach is counted, and the first five are listed', async () => {
  for (let i = 0; i < 7; i++) await move(newId(), 'charge', -1);
  const report = (await checkLedger()).find(one => one.invariant === 'I3');
  expect(report).toMatchObject({ ok: false, broken: 7 });
  expect(report?.examples).toHaveLength(5);
  expect(report?.examples[0]).toMatchObject({ what: 'charge without a request', found: '1 of -1' });
});

function store(files: { key: string; bytes: number; age: number }[]): Pick<Storage, 'head' | 'list'> {
  return {
    head: key => {
      const file = files.find(one => one.key === key);
      return Promise.resolve(file ? { bytes: file.bytes, contentType: 'image/png', etag: '"x"' } : null);
    },
    async *list() {
      for (const { key, bytes, age } of files) yield { key, bytes, modifiedAt: new Date(Date.now() - age) };
    },
  };
}

const PEAR = { key: 'results/pear.png', bytes: 5, age: 1e7 };

test.each([
  ['its file', [PEAR], []],
  ['no file', [], ['row without its file']],
  ['a file of another size', [{ ...PEAR, bytes: 4 }], ['file of another size']],
  ['a file too many', [PEAR, { key: 'stray.png', bytes: 1, age: 1e7 }], ['file without a row']],
  ['a file whose row is about to come', [PEAR, { key: 'new.png', bytes: 1, age: 0 }], []],
])('invariant I10 compares a media row with %s', async (_, files, breaches) => {
  const report = (await checkLedger({ storage: store(files) })).at(-1);
  expect(report).toMatchObject({ invariant: 'I10', ok: breaches.length === 0, broken: breaches.length });
  expect(report?.examples.map(breach => breach.what)).toEqual(breaches);
});

test('a file that remains after its row was deleted is reported', async () => {
  await sql('update media set deleted_at = now()');
  const report = (await checkLedger({ storage: store([PEAR]) })).at(-1);
  expect(report?.examples).toMatchObject([{ what: 'file without a row', id: PEAR.key }]);
});

test('a row that retention deletes together with its file meanwhile is not reported', async () => {
  const deleteMeanwhile = async () => {
    await sql('update media set deleted_at = now()');
    return null;
  };
  const report = (await checkLedger({ storage: { ...store([]), head: deleteMeanwhile } })).at(-1);
  expect(report).toMatchObject({ invariant: 'I10', ok: true });
});

test('a file uploaded to the bucket but not used yet is not reported', async () => {
  const sent = { key: `upload/${'a'.repeat(32)}.png`, bytes: 5, age: 1e7 };
  const look = async () => (await checkLedger({ storage: store([PEAR, sent]) })).at(-1)?.examples;
  expect(await look()).toMatchObject([{ what: 'file without a row', id: sent.key }]);
  await sql(
    `insert into uploads (id, account_id, key, content_type, max_bytes, put_expires_at, expires_at)
    values (gen_random_uuid(), $1, $2, 'image/png', 5, now(), now())`,
    [account, sent.key],
  );
  expect(await look()).toEqual([]);
});

test('the store is asked for several files at the same time, but fewer than 50', async () => {
  await sql(
    `insert into media (id, account_id, kind, key, content_type, bytes)
    select gen_random_uuid(), $1, 'upload', 'uploads/' || n || '.png', 'image/png', 5 from generate_series(1, 100) n`,
    [account],
  );
  let open = 0;
  let most = 0;
  const head = async () => {
    most = Math.max(most, ++open);
    await new Promise(setImmediate);
    open -= 1;
    return { bytes: 5, contentType: 'image/png', etag: '"x"' } as const;
  };
  const report = (await checkLedger({ storage: { ...store([]), head } })).at(-1);
  expect(report).toMatchObject({ invariant: 'I10', ok: true });
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThan(50);
});
