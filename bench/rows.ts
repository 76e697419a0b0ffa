import { randomUUID } from 'node:crypto';
import { call, measure, medianOf, type Measured } from './measure.ts';
import type { Stage, Target } from './stage.ts';

/** One line of the table: two things measured in turn, and what their ratio must be. */
export interface Row {
  what: string;
  against: string;
  unit: string;
  ours: number[];
  theirs: number[];
  /** How ours relates to theirs; the ratio must be at least (or at most) the bound. */
  bound: { atLeast: number } | { atMost: number };
}

const BODY = JSON.stringify({ prompt: 'a lighthouse at dusk', aspect_ratio: '16:9', seed: 7 });

const auth = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
const rate = (measured: Measured) => Math.round(measured.rate);

export async function submit(target: Target, key: string, idempotencyKey: string, status = 202): Promise<string> {
  const headers = { ...auth(key), 'idempotency-key': idempotencyKey };
  const text = await call(`${target.base}/v1/mango/generate`, status, { method: 'POST', headers, body: BODY });
  return (JSON.parse(text) as { request_id: string }).request_id;
}

/** Ends what is live, so that the limit in flight is never what is measured. */
export const settleAll = (target: Target) =>
  target.pool.query(
    `update requests set status = 'cancelled', finished_at = now() where status in ('queued', 'in_progress')`,
  );

const pollStatus = (base: string, key: string, id: string) =>
  call(`${base}/v1/requests/${id}/status`, 200, { headers: auth(key) });

export async function pollRows(stage: Stage, target: Target, rounds: number, seconds: number): Promise<Row[]> {
  const key = target.keys[0] ?? '';
  const id = await submit(target, key, randomUUID());
  await settleAll(target);
  const bare = await stage.startScript('bare-poll.ts', { DATABASE_URL: target.databaseUrl });
  const next = await stage.startNext(target);
  const [ours, plain, slow]: number[][] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    ours?.push(rate(await measure(seconds, () => pollStatus(target.base, key, id))));
    plain?.push(rate(await measure(seconds, () => call(`${bare.base}/${id}`, 200))));
    slow?.push(rate(await measure(seconds, () => pollStatus(next, key, id))));
  }
  const row = { what: 'status poll', unit: '/s', ours: ours ?? [] };
  return [
    { ...row, against: 'bare node:http and one SELECT', theirs: plain ?? [], bound: { atLeast: 0.6 } },
    { ...row, against: 'the same through plain next start', theirs: slow ?? [], bound: { atLeast: 6 } },
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
      bound: { atLeast: 0.5 },
    },
    { what: 'idempotent replay', against: 'submit', unit: '/s', ours: replays, theirs: ours, bound: { atLeast: 2 } },
  ];
}

/** The columns of a request as the service decides them, taken from a real one. */
async function draftOf(target: Target): Promise<Record<string, unknown>> {
  const id = await submit(target, target.keys[0] ?? '', randomUUID());
  const { rows } = await target.pool.query<{ draft: Record<string, unknown> }>(
    'select to_jsonb(requests) as draft from requests where id = $1',
    [id],
  );
  await settleAll(target);
  return rows[0]?.draft ?? {};
}

/** The same operations on a database with few and with many past requests. */
export async function historyRows(small: Target, large: Target, rounds: number, seconds: number): Promise<Row[]> {
  const operations: Record<string, (target: Target) => Promise<number>> = {
    submit: async target => {
      const measured = await measure(seconds, turn =>
        submit(target, target.keys[turn % target.keys.length] ?? '', randomUUID()),
      );
      await settleAll(target);
      return rate(measured);
    },
    poll: async target => {
      const key = target.keys[0] ?? '';
      const id = await submit(target, key, randomUUID());
      await settleAll(target);
      return rate(await measure(seconds, () => pollStatus(target.base, key, id)));
    },
    list: async target => {
      const list = (turn: number) =>
        call(`${target.base}/v1/requests?limit=20`, 200, { headers: auth(target.keys[turn % 50] ?? '') });
      return rate(await measure(seconds, list));
    },
    claim: async target => {
      for (let turn = 0; turn < 500; turn++)
        await submit(target, target.keys[turn % target.keys.length] ?? '', randomUUID());
      const { rows } = await target.pool.query<{ id: string }>(
        `select id from requests where status in ('queued', 'in_progress')`,
      );
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
      bound: { atLeast: 0.9 },
    });
  }
  return table;
}

/** Gives a target `count` past requests, spread over its accounts. */
export async function seedHistory(target: Target, count: number): Promise<void> {
  const draft = await draftOf(target);
  const perAccount = Math.ceil(count / target.keys.length);
  await target.pool.query(
    `insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems,
      created_at, updated_at, started_at, finished_at)
    select (lpad(to_hex((extract(epoch from now() - n * interval '1 minute') * 1000)::bigint), 12, '0') || '7' ||
        substr(md5(random()::text), 1, 3) || 'a' || substr(md5(random()::text), 1, 15))::uuid,
      a.id, 'completed', 'mango', 'mango-v3', 'image', 'preview', 'a lighthouse at dusk', $2, $3, 7, $4, 1,
      now() - n * interval '1 minute', now(), now() - n * interval '1 minute', now() - n * interval '1 minute'
    from accounts a, generate_series(1, $1::int) n`,
    [perAccount, draft.body, draft.config, draft.output],
  );
  await target.pool.query('vacuum analyze requests');
}

/** From the accepting answer to the start of the engine, on an idle deployment with a worker, against one round trip of NOTIFY. */
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
    bound: { atMost: 5 },
  };
}

export const ratioOf = (row: Row): number => medianOf(row.ours) / medianOf(row.theirs);

export const holds = (row: Row): boolean => {
  const ratio = ratioOf(row);
  return 'atLeast' in row.bound ? ratio >= row.bound.atLeast : ratio <= row.bound.atMost;
};
