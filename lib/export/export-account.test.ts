import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { useOwnDatabase } from '#lib/db/test-database';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-export-'));

const { createAccount } = await import('#lib/accounts/accounts');
const { createApiKey } = await import('#lib/accounts/api-keys');
const { listAudit } = await import('#lib/accounts/audit');
const { findPasswordHash, setPassword } = await import('#lib/accounts/sign-ins');
const { topUp } = await import('#lib/accounts/top-up');
const { db, pool } = await import('#lib/db/client');
const { exportAccount } = await import('#lib/export/export-account');
const { newId } = await import('#lib/ids');
const { createCollection } = await import('#lib/library/collections');
const { createPreset } = await import('#lib/library/presets');
const { createShare } = await import('#lib/library/shares');
const { raiseNotice } = await import('#lib/notices/notices');
const { newMediaKey } = await import('#lib/storage/media-key');
const { storage } = await import('#lib/storage/store');
const { createUploadTicket } = await import('#lib/uploads/upload-ticket');
const { createWebhook } = await import('#lib/webhooks/webhooks');

const openAccount = () => createAccount({ email: `${newId()}@example.com`, gems: 500 });

/** Stores a file of the account, optionally for a request. */
async function keep(accountId: string, kind: 'result' | 'upload', requestId: string | null = null) {
  const [id, key, content] = [newId(), newMediaKey(kind, 'image/png'), `the bytes of ${newId()}`];
  await storage().put(key, Buffer.from(content), 'image/png');
  await pool().query(
    `insert into media (id, account_id, kind, key, content_type, bytes, request_id, expires_at)
    values ($1, $2, $3, $4, 'image/png', $5, $6, now() + interval '1 day')`,
    [id, accountId, kind, key, content.length, requestId],
  );
  return { id, key, content };
}

async function request(accountId: string, prompt: string): Promise<string> {
  const id = newId();
  await pool().query(
    `insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems, error_message, finished_at)
    values ($1, $2, 'failed', 'mango', 'mango-v3', 'image', 'none', $3, '{}', '{}', 1, '{}', 1, 'It failed.', now())`,
    [id, accountId, prompt],
  );
  return id;
}

/** Inserts a recipe run of one step, which submitted this request. */
async function run(accountId: string, requestId: string): Promise<string> {
  const id = newId();
  const steps = [{ id: 'shots', name: 'Shots', architecture: 'mango', body: {} }];
  await pool().query(
    `insert into recipe_runs (id, account_id, scope, recipe, name, status, steps, results, inputs, "values", prices)
    values ($1, $2, $2, 'storyboard', 'A storyboard', 'failed', $3, '["shots"]', '{"shots": ["Figs"]}', '{}', '[[1]]')`,
    [id, accountId, JSON.stringify(steps)],
  );
  const part = { step: 0, item: 0, attempt: 1 };
  await pool().query('update requests set run_id = $2, run_part = $3 where id = $1', [requestId, id, part]);
  return id;
}

/** Offset of a file name in the zip, which stores files uncompressed: a 30-byte header, the name, the bytes, a CRC. */
function placeOf(zip: Buffer, name: string): number {
  const head = [...zip.toString('latin1').matchAll(/PK\x03\x04/g)].map(({ index }) => index + 30);
  const start = head.find(at => zip.subarray(at, at + name.length).toString() === name);
  if (start === undefined) throw new Error(`no ${name} in the zip`);
  return start;
}

function contentOf(zip: Buffer, name: string): string {
  const start = placeOf(zip, name);
  return zip.subarray(start + name.length, zip.indexOf('PK\u0007\u0008', start, 'latin1')).toString();
}

const yearOf = (zip: Buffer, name: string): number => (zip.readUInt16LE(placeOf(zip, name) - 18) >> 9) + 1980;

const take = async (accountId: string): Promise<Buffer> => buffer(await exportAccount(accountId));

test('the export contains all data of the account, over several pages, and nothing of other accounts', async () => {
  const [ada, eve] = [await openAccount(), await openAccount()];
  const ids: string[] = [];
  for (let n = 0; n < 230; n++) ids.push(await request(ada.id, `figs ${n}`));
  await request(eve.id, 'hers');
  const [own, theirs] = [await keep(ada.id, 'upload', ids[0]), await keep(eve.id, 'upload')];
  const expired = await keep(ada.id, 'result');
  await pool().query('update media set expires_at = now() where id = $1', [expired.id]);
  await setPassword(ada, 'a quiet orchard');
  const { key } = await createApiKey(ada.id, { name: 'laptop' });
  const figs = await createCollection(ada.id, { name: 'Figs', notes: 'ripe', requestIds: [ids[3]!, ids[1]!] });
  await createPreset(ada.id, { name: 'Wet', architecture: null, settings: { prompt: 'in the rain' } });
  const { secret: signing } = await createWebhook(ada.id, { url: 'https://receiver.example/hook' });
  await createCollection(eve.id, { name: 'Her plums', requestIds: [] });
  await pool().query('update accounts set top_up_limit = 60 where id = $1', [ada.id]);
  const { payment } = await topUp(ada.id, 60);
  const runId = await run(ada.id, ids[5]!);
  const { row: page } = await createShare(ada.id, { collection_id: figs.id, settings: true });
  const upload = await createUploadTicket(ada.id, 'image/png', 'figs in june.png');
  await db().transaction(tx => raiseNotice(ada.id, 'balance.low', { balance: 1, threshold: 2 }, tx));

  await pool().query(`update media set created_at = '2021-06-01' where id = $1`, [own.id]);
  const zip = await take(ada.id);
  const json = (name: string) => JSON.parse(contentOf(zip, name)) as Record<string, unknown>[];
  expect(json('requests.json').map(({ request_id }) => request_id)).toEqual(ids.toReversed());
  expect(json('account.json')).toMatchObject({ email: ada.email, balance: 560, api_keys: [{ name: 'laptop' }] });
  expect(contentOf(zip, 'ledger.csv')).toContain('opening,500');
  expect(json('characters.json')).toEqual([]);
  expect(json('collections.json')).toMatchObject([
    { name: 'Figs', notes: 'ripe', count: 2, request_ids: [ids[3], ids[1]] },
  ]);
  expect(json('presets.json')).toMatchObject([{ name: 'Wet', settings: { prompt: 'in the rain' } }]);
  expect(json('webhooks.json')).toMatchObject([{ url: 'https://receiver.example/hook', enabled: true }]);
  expect(json('payments.json')).toMatchObject([{ id: payment.id, gems: 60, status: 'succeeded' }]);
  expect(json('runs.json')).toMatchObject([
    { run_id: runId, name: 'A storyboard', inputs: { shots: ['Figs'] }, steps: [{ request_ids: [ids[5]] }] },
  ]);
  expect(json('shares.json')).toMatchObject([{ id: page.id, title: 'Figs', settings: true }]);
  expect(json('uploads.json')).toMatchObject([{ id: upload.id, file_name: 'figs in june.png', status: 'pending' }]);
  expect(json('notices.json')).toMatchObject({ data: [{ kind: 'balance.low' }], settings: { low_balance: 100 } });
  expect(json('activity.json')).toMatchObject([{ act: 'account.export' }]);
  expect(json('media.json')).toMatchObject([
    { file: `media/upload/${own.id}.png`, request_id: ids[0] },
    { file: null, kind: 'result' },
  ]);
  expect(contentOf(zip, `media/upload/${own.id}.png`)).toBe(own.content);
  expect(yearOf(zip, `media/upload/${own.id}.png`)).toBe(2021);
  const text = zip.toString('latin1');
  expect(text).toContain(own.content);
  for (const secret of [
    theirs.content,
    expired.content,
    'hers',
    'Her plums',
    eve.email,
    key,
    signing,
    String(await findPasswordHash(ada.id)),
  ])
    expect(text).not.toContain(secret);
});

test('a file that disappears from the store during the export is left out, but a store outage fails it', async () => {
  const { id } = await openAccount();
  const [gone, kept] = [await keep(id, 'upload'), await keep(id, 'upload')];
  const coming = await exportAccount(id);
  await storage().delete(gone.key);
  const zip = await buffer(coming);
  const read = ({ id }: { id: string }) => contentOf(zip, `media/upload/${id}.png`);
  expect(read(kept)).toBe(kept.content);
  expect(() => read(gone)).toThrow(`no media/upload/${gone.id}`);
  // when the store fails, the export fails instead of leaving the file out
  vi.spyOn(storage(), 'get').mockRejectedValueOnce(new Error('the store is out'));
  await expect(take(id)).rejects.toThrow('the store is out');
});

test('an export is recorded in the audit log, and allowed five times an hour', async () => {
  const { id } = await openAccount();
  for (let n = 0; n < 5; n++) await take(id);
  await expect(take(id)).rejects.toMatchObject({ code: 'too_many_requests' });
  expect((await listAudit({ accountId: id })).data).toHaveLength(5);
});
