import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, expect, test, vi } from 'vitest';
import { COLLECTION_SIZE } from '#lib/contract/library-limits';
import { useOwnDatabase } from '#lib/db/test-database';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-archive-'));

const { createAccount } = await import('#lib/accounts/accounts');
const { pool } = await import('#lib/db/client');
const { archiveGenerations } = await import('#lib/generations/archive');
const { newId } = await import('#lib/ids');
const { createCollection } = await import('#lib/library/collections');
const { newMediaKey } = await import('#lib/storage/media-key');
const { storage } = await import('#lib/storage/store');

const BYTES = 3_000_000;
let accountId: string;
beforeAll(async () => {
  accountId = (await createAccount({ email: 'packer@example.com' })).id;
});

/** Stores a completed request with its file, and returns its id. */
async function finish(owner = accountId): Promise<string> {
  const [id, mediaId, key] = [newId(), newId(), newMediaKey('result', 'image/png')];
  await storage().put(key, Buffer.alloc(BYTES, 7), 'image/png');
  await pool().query(
    `insert into media (id, account_id, kind, key, content_type, bytes, request_id, expires_at)
    values ($1, $2, 'result', $3, 'image/png', $4, $5, now() + interval '1 day')`,
    [mediaId, owner, key, BYTES, id],
  );
  const result = { mediaId, key, contentType: 'image/png', bytes: BYTES, width: 8, height: 8, nsfw: false };
  await pool().query(
    `insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems, result, finished_at)
    values ($1, $2, 'completed', 'mango', 'mango-v3', 'image', 'none', 'figs, "ripe" / ../and sweet', '{}', '{}', 1, '{}', 1, $3, now())`,
    [id, owner, JSON.stringify({ ...result, expiresAt: new Date(Date.now() + 86_400_000).toISOString() })],
  );
  return id;
}

const namesIn = (zip: Buffer) => zip.toString('latin1').match(/\d{4}-\d\d-\d\d [\w-]+ [0-9a-f]{8}\.(png|json)/g) ?? [];

test('each file comes with its JSON, under a name without path separators', async () => {
  const ids = [await finish(), await finish()];
  const zip = await buffer(await archiveGenerations(accountId, { ids }));
  expect(zip.length).toBeGreaterThan(2 * BYTES);
  const names = new Set(namesIn(zip));
  expect(names.size).toBe(4);
  for (const id of ids) expect([...names].filter(name => name.includes(id.slice(-8)))).toHaveLength(2);
  // four entries, each with its name in a local and a central header
  expect(zip.toString('latin1').match(/figs-ripe-and-sweet /g)).toHaveLength(8);
  for (const id of ids) expect(zip.includes(`"request_id": "${id}"`)).toBe(true);
});

test('expired, removed and foreign results are left out, and the archive is refused only when none remains', async () => {
  const [own, gone, removed] = [await finish(), await finish(), await finish()];
  const { id: other } = await createAccount({ email: 'neighbour@example.com' });
  const theirs = await finish(other);
  await pool().query(`update requests set result = jsonb_set(result, '{expiresAt}', '"2026-01-01"') where id = $1`, [
    gone,
  ]);
  await pool().query('update requests set removed_at = now() where id = $1', [removed]);
  const zip = await buffer(await archiveGenerations(accountId, { ids: [own, gone, removed, theirs] }));
  expect(new Set(namesIn(zip)).size).toBe(2);
  await expect(archiveGenerations(accountId, { ids: [gone, removed, theirs] })).rejects.toMatchObject({
    code: 'request_not_found',
  });
});

test('removed requests of a collection do not count towards the size limit of its archive', async () => {
  const id = await finish();
  const { id: collection } = await createCollection(accountId, { name: 'Figs', requestIds: [id] });
  await pool().query(
    `with removed as (
      insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems, removed_at)
      select gen_random_uuid(), account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems, now()
      from requests, generate_series(1, $3) where id = $2 returning id
    ) insert into collection_items select $1, id, row_number() over () + 1 from removed`,
    [collection, id, 2 * COLLECTION_SIZE],
  );
  expect(new Set(namesIn(await buffer(await archiveGenerations(accountId, { collection })))).size).toBe(2);
});

test('a file that the store opens after the reader has left is closed', async () => {
  const [asked, late] = [Promise.withResolvers<void>(), Promise.withResolvers<Readable>()];
  vi.spyOn(storage(), 'get').mockImplementationOnce(() => (asked.resolve(), late.promise));
  const zip = await archiveGenerations(accountId, { ids: [await finish()] });
  await asked.promise;
  await zip.cancel();
  const file = Readable.from([Buffer.alloc(BYTES)]);
  const closed = once(file, 'close');
  late.resolve(file);
  await closed;
});

test('a reader that cancels in the middle closes the open file and causes no unhandled rejection', async () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => void rejections.push(reason);
  process.on('unhandledRejection', note);
  const opened = vi.spyOn(storage(), 'get');
  const reader = (await archiveGenerations(accountId, { ids: [await finish(), await finish()] })).getReader();
  await reader.read();
  await reader.read();
  await reader.cancel();
  await new Promise(done => setImmediate(done));
  process.off('unhandledRejection', note);
  expect(rejections).toEqual([]);
  const file = (await opened.mock.results.at(-1)!.value) as Readable;
  expect(file.destroyed).toBe(true);
});
