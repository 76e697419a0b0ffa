import { randomUUID } from 'node:crypto';
import { hashPassword } from '#lib/accounts/passwords';
import { liveIn } from '#lib/status';
import { call, measure, medianOf, type Measured } from './measure.ts';
import type { Stage, Target } from './stage.ts';

/** One line of the table: two operations measured alternately, and the bound of their ratio. */
export interface Row {
  what: string;
  against: string;
  unit: string;
  ours: number[];
  theirs: number[];
  /** Bound of the ratio of ours to theirs. */
  bound: { atLeast: number } | { atMost: number };
}

const BODY = JSON.stringify({ prompt: 'a lighthouse at dusk', aspect_ratio: '16:9', seed: 7 });

export const auth = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
export const rate = (measured: Measured) => Math.round(measured.rate);

export async function submit(target: Target, key: string, idempotencyKey: string, status = 202): Promise<string> {
  const headers = { ...auth(key), 'idempotency-key': idempotencyKey };
  const text = await call(`${target.base}/v1/mango/generate`, status, { method: 'POST', headers, body: BODY });
  return (JSON.parse(text) as { request_id: string }).request_id;
}

/** Cancels live requests, so that the in-flight limit is never reached. */
export const settleAll = (target: Target) =>
  target.pool.query(`update requests set status = 'cancelled', finished_at = now() where ${liveIn()}`);

export const pollStatus = (base: string, key: string, id: string) =>
  call(`${base}/v1/requests/${id}/status`, 200, { headers: auth(key) });

export async function pollRows(stage: Stage, target: Target, rounds: number, seconds: number): Promise<Row[]> {
  const key = target.keys[0] ?? '';
  const id = await submit(target, key, randomUUID());
  await settleAll(target);
  const bare = await stage.startScript('bare-poll.ts', { DATABASE_URL: target.databaseUrl });
  const next = await stage.startNext(target);
  const [ours, plain, slow, alone, plainAlone]: [number[], number[], number[], number[], number[]] = [
    [],
    [],
    [],
    [],
    [],
  ];
  for (let round = 0; round < rounds; round++) {
    ours.push(rate(await measure(seconds, () => pollStatus(target.base, key, id))));
    plain.push(rate(await measure(seconds, () => call(`${bare.base}/${id}`, 200))));
    slow.push(rate(await measure(seconds, () => pollStatus(next, key, id))));
    alone.push(rate(await measure(seconds, () => pollStatus(target.base, key, id), 1)));
    plainAlone.push(rate(await measure(seconds, () => call(`${bare.base}/${id}`, 200), 1)));
  }
  const row = { what: 'status poll, 32 clients', unit: '/s', ours };
  const against = 'bare node:http and one SELECT';
  return [
    { ...row, against, theirs: plain, bound: { atLeast: 1.5 } },
    { ...row, what: 'status poll, one client', against, ours: alone, theirs: plainAlone, bound: { atLeast: 0.6 } },
    { ...row, against: 'the same through plain next start', theirs: slow, bound: { atLeast: 6 } },
  ];
}

export async function submitRows(target: Target, rounds: number, seconds: number): Promise<Row[]> {
  const turnKey = (turn: number) => target.keys[turn % target.keys.length] ?? '';
  const { rows: accounts } = await target.pool.query<{ account_id: string; id: string }>(
    'select account_id, id from api_keys',
  );
  const draft = await draftOf(target);
  const ours: number[] = [];
  const sql: number[] = [];
  const replays: number[] = [];
  const [alone, bare]: [number[], number[]] = [[], []];
  await target.pool.query('create table if not exists bench_commits (n int)');
  for (let round = 0; round < rounds; round++) {
    const sent: string[] = [];
    ours.push(
      rate(
        await measure(seconds, async turn => {
          const idempotencyKey = randomUUID();
          await submit(target, turnKey(turn), idempotencyKey);
          sent[turn] = idempotencyKey;
        }),
      ),
    );
    replays.push(
      rate(
        await measure(seconds, turn =>
          submit(target, turnKey(turn % sent.length), sent[turn % sent.length] ?? '', 200),
        ),
      ),
    );
    await settleAll(target);
    alone.push(rate(await measure(seconds, turn => submit(target, turnKey(turn), randomUUID()), 1)));
    await settleAll(target);
    bare.push(
      rate(
        await measure(
          seconds,
          async turn => {
            await target.pool.query('select balance from accounts where id = $1', [
              accounts[turn % accounts.length]?.account_id,
            ]);
            await target.pool.query('insert into bench_commits values ($1)', [turn]);
          },
          1,
        ),
      ),
    );
    sql.push(
      rate(
        await measure(seconds, async turn => {
          const account = accounts[turn % accounts.length];
          const own = { ...draft, id: randomUUID(), account_id: account?.account_id, api_key_id: account?.id };
          await target.pool.query({
            name: 'submit',
            text: 'select outcome from accept_generation($1, $2, $3, $4, true)',
            values: [JSON.stringify(own), account?.id, randomUUID(), null],
          });
        }),
      ),
    );
    await settleAll(target);
  }
  return [
    {
      what: 'submit, 32 clients',
      against: 'the same SQL from a script',
      unit: '/s',
      ours,
      theirs: sql,
      bound: { atLeast: 1.2 },
    },
    {
      what: 'submit, one client',
      against: 'one SELECT and one durable commit',
      unit: '/s',
      ours: alone,
      theirs: bare,
      bound: { atLeast: 0.4 },
    },
    { what: 'idempotent replay', against: 'submit', unit: '/s', ours: replays, theirs: ours, bound: { atLeast: 2 } },
  ];
}

/** Returns the columns of a real request, as the service computed them. */
export async function draftOf(target: Target): Promise<Record<string, unknown>> {
  const id = await submit(target, target.keys[0] ?? '', randomUUID());
  const { rows } = await target.pool.query<{ draft: Record<string, unknown> }>(
    'select to_jsonb(requests) as draft from requests where id = $1',
    [id],
  );
  await settleAll(target);
  return rows[0]?.draft ?? {};
}

/** Lists to measure, with their filters. */
const LISTS = {
  list: '/v1/requests?limit=50',
  'list of failures': '/v1/requests?limit=5&status=failed',
  'list of a type': '/v1/requests?limit=5&type=video',
  'list of an architecture': '/v1/requests?limit=5&architecture=papaya',
  'list by a word': '/v1/requests?limit=5&q=lighthouse',
  'list by words that are not there': '/v1/requests?limit=5&q=xylophone%20quartet',
  'ledger page': '/v1/account/ledger?limit=50',
  'ledger of refunds': '/v1/account/ledger?limit=5&kind=refund',
};

/** Account with a tenth of all requests. */
const FIRST_EMAIL = 'bench1@localhost';
const FIRST = `email = '${FIRST_EMAIL}'`;

/** Signs an account in and returns its cookie. */
export async function signIn({ base, pool }: Target, email: string): Promise<string> {
  const password = randomUUID();
  await pool.query(
    `insert into sign_ins (id, account_id, provider, subject, password_hash)
    select gen_random_uuid(), id, 'password', id, $1 from accounts where email = $2
    on conflict (provider, subject) do update set password_hash = excluded.password_hash`,
    [await hashPassword(password), email],
  );
  const answer = await fetch(`${base}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`signing in was answered with ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map(cookie => cookie.split(';', 1)[0])
    .join('; ');
}

/** Compares the same operations on databases with few and with many past requests. */
export async function historyRows(small: Target, large: Target, rounds: number, seconds: number): Promise<Row[]> {
  const submitAll = async (target: Target) => {
    const measured = await measure(seconds, turn =>
      submit(target, target.keys[turn % target.keys.length] ?? '', randomUUID()),
    );
    await settleAll(target);
    return rate(measured);
  };
  // after a bulk load, the first write to a page reads it and logs it whole, which is not part of the cost of a submit
  for (let round = 0; round < rounds; round++) for (const target of [large, small]) await submitAll(target);
  const operations: Record<string, (target: Target) => Promise<number>> = {
    submit: submitAll,
    poll: async target => {
      const key = target.keys[0] ?? '';
      const id = await submit(target, key, randomUUID());
      await settleAll(target);
      return rate(await measure(seconds, () => pollStatus(target.base, key, id)));
    },
    ...Object.fromEntries(
      Object.entries(LISTS).map(([name, path]) => [
        name,
        // lists of the account with a tenth of all requests; the page is full in both databases
        async (target: Target) =>
          rate(await measure(seconds, () => call(target.base + path, 200, { headers: auth(target.keys[0] ?? '') }))),
      ]),
    ),
    'list of a mention': async target => {
      const { rows } = await target.pool.query<{ handle: string }>(
        `select 'hero' || left(md5(id::text), 6) || 1 as handle from accounts where ${FIRST}`,
      );
      const url = `${target.base}/v1/requests?limit=5&mention=${rows[0]?.handle}`;
      return rate(await measure(seconds, () => call(url, 200, { headers: auth(target.keys[0] ?? '') })));
    },
    usage: async target => {
      const headers = { cookie: await signIn(target, FIRST_EMAIL) };
      return rate(await measure(seconds, () => call(`${target.base}/api/account/usage?days=90`, 200, { headers })));
    },
    'submit under a budget': async target => {
      await target.pool.query(`update accounts set in_flight_limit = 1000000 where ${FIRST}`);
      await target.pool.query(
        `update api_keys set monthly_budget = 1000000000000 where account_id = (select id from accounts where ${FIRST})`,
      );
      const measured = await measure(seconds, () => submit(target, target.keys[0] ?? '', randomUUID()));
      await settleAll(target);
      return rate(measured);
    },
    claim: async target => {
      for (let turn = 0; turn < 500; turn++)
        await submit(target, target.keys[turn % target.keys.length] ?? '', randomUUID());
      const { rows } = await target.pool.query<{ id: string }>(`select id from requests where ${liveIn()}`);
      const begun = performance.now();
      for (const { id } of rows)
        await target.pool.query({
          name: 'claim',
          text: `select id from claim_generations('00000000-0000-7000-8000-000000000000', $1)`,
          values: [JSON.stringify([{ id, engine: 'preview', server: 'preview/bench' }])],
        });
      const claimed = Math.round(rows.length / ((performance.now() - begun) / 1000));
      await settleAll(target);
      return claimed;
    },
  };
  const table: Row[] = [];
  for (const [name, operate] of Object.entries(operations)) {
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      ours.push(await operate(large));
      theirs.push(await operate(small));
    }
    table.push({
      what: `${name} with many past requests`,
      against: 'with 1,000',
      unit: '/s',
      ours,
      theirs,
      bound: { atLeast: 0.8 },
    });
  }
  return table;
}

/** Compares the time from acceptance to the engine's start, on an idle deployment, with one round trip of NOTIFY. */
export async function startRow(target: Target, rounds: number): Promise<Row> {
  const listener = await target.pool.connect();
  await listener.query('listen bench');
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const heard = new Promise(done => listener.once('notification', done));
    const begun = performance.now();
    await target.pool.query(`select pg_notify('bench', '')`);
    await heard;
    theirs.push(performance.now() - begun);
    const headers = { ...auth(target.keys[round] ?? ''), 'idempotency-key': randomUUID() };
    const body = JSON.stringify({ prompt: 'dusk' });
    const accepted = JSON.parse(
      await call(`${target.base}/v1/z_image/generate`, 202, { method: 'POST', headers, body }),
    ) as { request_id: string };
    await call(`${target.base}/v1/requests/${accepted.request_id}/status?wait=60`, 200, { headers });
    const { rows } = await target.pool.query<{ milliseconds: number }>(
      `select extract(epoch from started_at - created_at)::float * 1000 as milliseconds from requests where id = $1`,
      [accepted.request_id],
    );
    ours.push(rows[0]?.milliseconds ?? Number.NaN);
  }
  listener.release();
  return {
    what: 'accept → engine start, idle',
    against: 'one LISTEN/NOTIFY round trip',
    unit: 'ms',
    ours,
    theirs,
    bound: { atMost: 8 },
  };
}

export const ratioOf = (row: Row): number => medianOf(row.ours) / medianOf(row.theirs);

export const holds = (row: Row): boolean => {
  const ratio = ratioOf(row);
  return 'atLeast' in row.bound ? ratio >= row.bound.atLeast : ratio <= row.bound.atMost;
};
