import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { useOwnDatabase } from '#lib/db/test-database';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-queries-'));
process.env.LOG_LEVEL = 'silent';

const { createAccount } = await import('#lib/accounts/accounts');
const { beginSession } = await import('#lib/auth/session-token');
const { pool } = await import('#lib/db/client');
const { env } = await import('#lib/env');

const APP = resolve(import.meta.dirname, '../app');

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

/** Lists of the API and the studio: route folder and query. */
const LISTS = {
  'v1/requests': '?limit=100',
  'v1/architectures': '',
  'v1/account': '',
  'v1/account/ledger': '?limit=100',
  'v1/characters': '?limit=100',
  'v1/references': '?limit=100',
  'v1/uploads': '?limit=100',
  'v1/recipes/runs': '?limit=100',
  'v1/webhooks': '',
  'api/collections': '',
  'api/presets': '',
  'api/shares': '',
  'api/account/keys': '',
  'api/account/notices': '',
  'api/account/usage': '',
};

/** Statements that give an account, `$1`, the rows `$2` to `$3` of everything that it may have. */
const ROWS = [
  `insert into media (id, account_id, kind, key, content_type, bytes)
    select md5('file' || n)::uuid, $1, 'entity', 'entity/' || n || '.png', 'image/png', 1 from generate_series($2::int, $3::int) n`,
  `insert into handles (handle, account_id, entity_id)
    select who || n, $1, md5(who || n)::uuid from generate_series($2::int, $3::int) n, unnest(array['hero', 'hat']) who`,
  `insert into characters (id, account_id, handle, name, image_id)
    select md5('hero' || n)::uuid, $1, 'hero' || n, 'Hero', md5('file' || n)::uuid from generate_series($2::int, $3::int) n`,
  `insert into character_pictures (character_id, position, media_id)
    select md5('hero' || n)::uuid, 0, md5('file' || n)::uuid from generate_series($2::int, $3::int) n where $1::uuid is not null`,
  `insert into cast_references (id, account_id, handle, name, kind, media_id)
    select md5('hat' || n)::uuid, $1, 'hat' || n, 'Hat', 'object', md5('file' || n)::uuid from generate_series($2::int, $3::int) n`,
  `insert into uploads (id, account_id, key, content_type, max_bytes, put_expires_at, expires_at, ready_at, bytes, media_id)
    select gen_random_uuid(), $1, 'upload/' || n || '.png', 'image/png', 1, now(), now() + interval '1 day', now(), 1, md5('file' || n)::uuid
    from generate_series($2::int, $3::int) n`,
  `insert into recipe_runs (id, account_id, recipe, name, inputs, values, steps, results, prices, scope)
    select md5('run' || n)::uuid, $1, 'story', 'Story', '{}', '{}', '[{"id": "one", "name": "One", "architecture": "mango", "body": {}}]',
      '["one"]', '[[1]]', $1 from generate_series($2::int, $3::int) n`,
  `insert into requests (id, account_id, api_key_id, status, architecture, model_id, type, engine, line, prompt, body, config, seed, output, gems,
      result, run_id, run_part, started_at, finished_at)
    select md5(status || n)::uuid, $1, md5('key' || n)::uuid, status, case when n % 2 = 0 then 'mango' else 'z_image' end, 'v1', 'image', 'comfy', 'comfy', 'a word',
      '{}', '{}', 1, '{"type": "image", "width": 8, "height": 8, "duration": 0}', 1,
      case when status = 'completed' then jsonb_build_object('mediaId', md5('file' || n)::uuid, 'key', 'entity/' || n || '.png', 'contentType', 'image/png',
        'bytes', 1, 'width', 8, 'height', 8, 'nsfw', false, 'expiresAt', now() + interval '30 days') end,
      md5('run' || n)::uuid, '{"step": 0, "item": 0, "attempt": 1}',
      case when status <> 'queued' then now() end, case when status = 'completed' then now() end
    from generate_series($2::int, $3::int) n, unnest(array['queued', 'in_progress', 'completed']) status`,
  `insert into frames (request_id, content_type, bytes)
    select md5('in_progress' || n)::uuid, 'image/png', '' from generate_series($2::int, $3::int) n where $1::uuid is not null`,
  `insert into ledger (account_id, kind, gems, balance_after, request_id)
    select $1, 'charge', 0, 0, md5('completed' || n)::uuid from generate_series($2::int, $3::int) n`,
  `insert into webhooks (id, account_id, url, events)
    select gen_random_uuid(), $1, 'https://example.com/' || n, '{request.completed}' from generate_series($2::int, $3::int) n`,
  `insert into collections (id, account_id, name)
    select md5('book' || n)::uuid, $1, 'Book' from generate_series($2::int, $3::int) n`,
  `insert into collection_items (collection_id, request_id, place)
    select md5('book' || n)::uuid, md5('completed' || n)::uuid, 1 from generate_series($2::int, $3::int) n where $1::uuid is not null`,
  `insert into presets (id, account_id, name, architecture, body)
    select gen_random_uuid(), $1, 'Preset', 'mango', '{}' from generate_series($2::int, $3::int) n`,
  `insert into shares (id, token, account_id, request_id, settings)
    select gen_random_uuid(), n, $1, md5('completed' || n)::uuid, true from generate_series($2::int, $3::int) n`,
  `insert into api_keys (id, account_id, name, hash, last_four)
    select md5('key' || n)::uuid, $1, 'Key', sha256(n::text::bytea), 'none' from generate_series($2::int, $3::int) n`,
  `insert into notices (id, account_id, kind, data)
    select gen_random_uuid(), $1, 'media.expiring', '{"count": 1, "first_expires_at": "2030-01-01T00:00:00.000Z"}' from generate_series($2::int, $3::int) n`,
];

let accountId: string;
let cookie: string;
beforeAll(async () => {
  accountId = (await createAccount({ email: 'many@example.com' })).id;
  const set = await beginSession(accountId, { headers: {}, address: 'here' });
  cookie = set.map(one => one.split(';', 1)[0]).join('; ');
});

async function add(from: number, to: number): Promise<void> {
  for (const sql of ROWS) await pool().query(sql, [accountId, from, to]);
}

async function read(path: string, query: string): Promise<{ queries: number; bytes: number }> {
  const { GET } = (await import(/* @vite-ignore */ join(APP, path, 'route.ts'))) as { GET: Handler };
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  try {
    const request = new Request(`${env().BASE_URL}/${path}${query}`, { headers: { cookie } });
    const answer = await GET(request, { params: Promise.resolve({}) });
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, text]);
    return { queries: asked.mock.calls.length, bytes: text.length };
  } finally {
    asked.mockRestore();
  }
}

test('a list endpoint runs the same number of queries for many rows as for few', async () => {
  const readAll = async () => {
    const all: Record<string, Awaited<ReturnType<typeof read>>> = {};
    for (const [path, query] of Object.entries(LISTS)) all[path] = await read(path, query);
    return all;
  };
  await add(1, 2);
  // the first reads fill caches, which stay fresh however long the reads take
  vi.useFakeTimers({ toFake: ['performance'] });
  await readAll();
  const few = await readAll();
  await add(3, 30);
  const many = await readAll();
  for (const path of Object.keys(LISTS)) expect([path, many[path]!.queries]).toEqual([path, few[path]!.queries]);
  const longer = Object.keys(LISTS).filter(path => many[path]!.bytes > few[path]!.bytes);
  expect(longer.length).toBeGreaterThanOrEqual(Object.keys(LISTS).length - 3);
});
