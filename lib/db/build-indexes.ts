import type pg from 'pg';
import { directAddress } from '#lib/db/address';
import { openConnection } from '#lib/db/open-connection';
import { FINAL_LIST } from '#lib/status';

/** Indexes of large tables, built in the background so that neither starting processes nor writers wait for them. */
const INDEXES = {
  requests_live: 'on requests (account_id) where finished_at is null',
  requests_running: `on requests (engine) where status = 'in_progress'`,
  // leaves out live requests, which are few and change often; with fastupdate, searches would scan a pending list
  requests_account_words: `on requests using gin (account_words(account_id, prompt)) with (fastupdate = off) where status in (${FINAL_LIST})`,
  // for filters that match few rows of a long history, all of which would be read otherwise
  requests_account_architecture: 'on requests (account_id, architecture, id)',
  requests_account_type: 'on requests (account_id, type, id)',
  requests_account_unmade: `on requests (account_id, status, id) where status in ('failed', 'cancelled')`,
  ledger_account_kind: `on ledger (account_id, kind, id) where kind <> 'charge'`,
  requests_kept: 'on requests (account_id, id) where kept',
  media_formless: `on media (id) where forms is null and kind in ('upload', 'entity') and deleted_at is null`,
  media_account_expiring: `on media (account_id, expires_at, request_id) where kind = 'result' and deleted_at is null`,
  // who uses a file, when a request with it is removed
  requests_input_media: `on requests using gin (jsonb_path_query_array(inputs, '$[*].mediaId')) with (fastupdate = off) where inputs <> '[]'`,
  recipe_runs_inputs: 'on recipe_runs using gin (inputs) with (fastupdate = off)',
  requests_run: 'on requests (run_id) where run_id is not null',
  // each start of a run counts the running ones
  recipe_runs_going: `on recipe_runs (account_id) where status = 'running'`,
  media_account: 'on media (account_id, id)',
  uploads_of_account: 'on uploads (account_id, id)',
  uploads_overdue: 'on uploads (put_expires_at) where ready_at is null',
  uploads_lapsing: 'on uploads (expires_at) where deleted_at is null',
  uploads_deleted: 'on uploads (deleted_at) where deleted_at is not null',
  // unauthenticated clients cause this look-up by naming an app
  api_keys_app: `on api_keys ((app->>'clientId')) where app is not null`,
  // for foreign keys, whose tables would be scanned for each referenced row that is deleted
  uploads_media: 'on uploads (media_id) where media_id is not null',
  characters_image: 'on characters (image_id)',
  characters_voice: 'on characters (voice_id) where voice_id is not null',
  characters_public_image: 'on characters (public_image_id) where public_image_id is not null',
  characters_public_voice: 'on characters (public_voice_id) where public_voice_id is not null',
  character_pictures_media: 'on character_pictures (media_id)',
  character_pictures_public_media: 'on character_pictures (public_media_id) where public_media_id is not null',
  cast_references_media: 'on cast_references (media_id)',
  collections_cover: 'on collections (cover_id) where cover_id is not null',
  handles_account: 'on handles (account_id)',
  secret_links_account: 'on secret_links (account_id) where account_id is not null',
  servers_worker: 'on servers (worker) where worker is not null',
};

/** Indexes of earlier versions that others have replaced. */
const REPLACED = [
  'requests_words',
  'requests_mentions',
  'requests_account_mentions',
  'requests_live_account',
  'requests_live_engine',
  'uploads_account',
  'uploads_expiring',
];

/** Advisory lock (an arbitrary number) of the process that builds indexes. */
const BUILD_LOCK = 7_605_664;

/** Builds missing indexes without blocking other work, which may take minutes. Returns the number of indexes built. */
export async function buildIndexes(signal?: AbortSignal, address = directAddress()): Promise<number> {
  const client = await openConnection(address, { name: 'pomona-indexes' });
  // Postgres finishes the statement after the client has left, and the next call finds the index valid
  const leave = () => void client.end();
  signal?.addEventListener('abort', leave, { once: true });
  try {
    signal?.throwIfAborted();
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [BUILD_LOCK]);
    if (!rows[0]?.free) return 0;
    let built = 0;
    for (const [name, definition] of Object.entries(INDEXES)) {
      if (await isWhole(client, name)) continue;
      await client.query(`drop index concurrently if exists ${name}`);
      await client.query(`create index concurrently ${name} ${definition}`);
      built += 1;
    }
    for (const name of REPLACED) await client.query(`drop index concurrently if exists ${name}`);
    return built;
  } finally {
    signal?.removeEventListener('abort', leave);
    await client.end();
  }
}

/** Whether an index exists and is valid: an interrupted build leaves an invalid index behind. */
async function isWhole(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query('select from pg_index where indexrelid = to_regclass($1) and indisvalid', [name]);
  return rows.length > 0;
}
