import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { useOwnDatabase } from '#lib/db/test-database';
import { singletons } from '#lib/singleton';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-retention-'));

const { createAccount } = await import('#lib/accounts/accounts');
const { db, pool } = await import('#lib/db/client');
const { media, uploads } = await import('#lib/db/schema');
const { adoptDeployment } = await import('#lib/deployment');
const { newId } = await import('#lib/ids');
const { expireMedia } = await import('#lib/retention/expire-media');
const { forgetUploads } = await import('#lib/retention/forget-uploads');
const { makeTemporaryFolder, temporaryFolder } = await import('#lib/process/temporary-folder');
const { sweepOrphans } = await import('#lib/retention/sweep-orphans');
const { sweepTemporary } = await import('#lib/retention/sweep-temporary');
const { copyStore } = await import('#lib/storage/copy-store');
const { createLocalStore } = await import('#lib/storage/local');
const { newMediaKey } = await import('#lib/storage/media-key');
const { storage } = await import('#lib/storage/store');
const { createUploadTicket } = await import('#lib/uploads/upload-ticket');

const DAY = 86_400_000;
const now = new Date();
const later = (days: number) => new Date(now.getTime() + days * DAY);
let accountId: string;

beforeAll(async () => {
  await adoptDeployment({ sweep: true });
  accountId = (await createAccount({ email: 'keeper@example.com' })).id;
});

async function keep(kind: 'result' | 'input' | 'entity', expiresAt: Date | null) {
  const key = newMediaKey(kind, 'image/png');
  await storage().put(key, Buffer.from(key), 'image/png');
  const id = newId();
  await db().insert(media).values({ id, accountId, kind, key, contentType: 'image/png', bytes: key.length, expiresAt });
  return { id, key };
}

const isThere = async ({ id, key }: { id: string; key: string }) => {
  const [row] = await db().select().from(media).where(eq(media.id, id));
  return { row: row?.deletedAt === null, file: (await storage().head(key)) !== null };
};
const THERE = { row: true, file: true };
const GONE = { row: false, file: false };

/** Stores a file without a row, and returns its key. */
async function leaveBehind(): Promise<string> {
  const key = newMediaKey('result', 'image/png');
  await storage().put(key, Buffer.from('left behind'), 'image/png');
  return key;
}

test('results and inputs are deleted after 30 days, files of entities stay, and rows keep their facts', async () => {
  const result = await keep('result', later(30));
  const input = await keep('input', later(30));
  const portrait = await keep('entity', null);
  await expireMedia(later(29.9));
  expect([await isThere(result), await isThere(input), await isThere(portrait)]).toEqual([THERE, THERE, THERE]);
  expect(await expireMedia(later(31))).toBe(2);
  expect([await isThere(result), await isThere(input), await isThere(portrait)]).toEqual([GONE, GONE, THERE]);
  const [row] = await db().select().from(media).where(eq(media.id, result.id));
  expect(row).toMatchObject({ key: result.key, bytes: result.key.length });
});

test('an expired input is kept while a live request uses it', async () => {
  const input = await keep('input', later(1));
  const id = newId();
  await pool().query(
    `insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, inputs, gems)
    values ($1, $2, 'queued', 'mango', 'mango-v3', 'image', 'none', 'x', '{}', '{}', 1, '{}', $3, 1)`,
    [id, accountId, JSON.stringify([{ role: 'reference', mediaId: input.id }])],
  );
  await expireMedia(later(31));
  expect(await isThere(input)).toEqual(THERE);
  await pool().query(`update requests set status = 'cancelled', finished_at = now() where id = $1`, [id]);
  await expireMedia(later(31));
  expect(await isThere(input)).toEqual(GONE);
});

test('a temporary folder is deleted two days after its last change', async () => {
  const [young, old] = [await makeTemporaryFolder(), await makeTemporaryFolder()];
  for (const folder of [young, old]) await writeFile(join(folder, 'film'), 'half of it');
  await utimes(young, now, later(-1));
  await utimes(old, now, later(-3));
  expect(await sweepTemporary(now)).toBe(1);
  expect(await readdir(temporaryFolder())).toEqual([basename(young)]);
});

test('a temporary folder that cannot be removed does not prevent the removal of others', async () => {
  const folders = await Promise.all([1, 2].map(makeTemporaryFolder));
  const [stuck, other] = folders.toSorted();
  // creates paths longer than the system allows
  const deep = `for (let n = 0; n < 20; n++) { fs.mkdirSync('${'x'.repeat(250)}'); process.chdir('${'x'.repeat(250)}'); }`;
  execFileSync(process.execPath, ['-e', deep], { cwd: stuck });
  onTestFinished(() => void execFileSync('rm', ['-rf', stuck!]));
  for (const folder of folders) await utimes(folder, now, later(-3));
  expect(await sweepTemporary(now)).toBe(1);
  const left = await readdir(temporaryFolder());
  expect(left).toContain(basename(stuck!));
  expect(left).not.toContain(basename(other!));
});

test('an aborted sweep leaves the work to the next one', async () => {
  const stopped = AbortSignal.abort();
  const result = await keep('result', later(30));
  expect(await expireMedia(later(31), stopped)).toBe(0);
  expect(await isThere(result)).toEqual(THERE);
  await leaveBehind();
  expect(await sweepOrphans(later(1), stopped)).toBe(0);
  await createUploadTicket(accountId, 'image/png');
  expect(await forgetUploads(later(1), stopped)).toBe(0);
  expect([await expireMedia(later(31)), await sweepOrphans(later(1)), await forgetUploads(later(1))]).toEqual([
    1, 1, 1,
  ]);
});

test('a ticket whose file never came is deleted an hour after its address has expired', async () => {
  const ticket = await createUploadTicket(accountId, 'image/png');
  await forgetUploads(new Date(now.getTime() + 60 * 60_000));
  const found = () => db().select().from(uploads).where(eq(uploads.id, ticket.id));
  expect(await found()).toHaveLength(1);
  await forgetUploads(new Date(now.getTime() + 80 * 60_000));
  expect(await found()).toHaveLength(0);
});

test('a ticket that the store cannot check is kept and does not prevent the deletion of others', async () => {
  const [broken, other] = await Promise.all([1, 2].map(() => createUploadTicket(accountId, 'image/png')));
  const keyOf = ({ url }: { url: string }) => new URL(url).pathname.replace('/media/', '');
  const head = storage().head;
  const asked = vi.spyOn(storage(), 'head').mockImplementation(async key => {
    if (key === keyOf(broken!)) throw new Error('the store does not say');
    return head(key);
  });
  onTestFinished(() => asked.mockRestore());
  const left = async () => (await db().select().from(uploads)).map(({ id }) => id);
  await forgetUploads(later(1));
  expect(await left()).toContain(broken!.id);
  expect(await left()).not.toContain(other!.id);
  asked.mockRestore();
  await forgetUploads(later(1));
  expect(await left()).not.toContain(broken!.id);
});

test('tickets that were checked are deleted even if the store fails before all are checked', async () => {
  await Promise.all(Array.from({ length: 130 }, () => createUploadTicket(accountId, 'image/png')));
  const head = storage().head;
  let asked = 0;
  const asking = vi.spyOn(storage(), 'head').mockImplementation(async key => {
    if (++asked > 120) throw Object.assign(new Error('the store is out'), { code: 'ECONNREFUSED' });
    return head(key);
  });
  onTestFinished(() => asking.mockRestore());
  await expect(forgetUploads(later(1))).rejects.toThrow('the store is out');
  expect(await db().$count(uploads)).toBe(30);
  asking.mockRestore();
  await forgetUploads(later(1));
  expect(await db().$count(uploads)).toBe(0);
});

test('an upload ends when its file expires, and its row is deleted a day later', async () => {
  const { id } = await createUploadTicket(accountId, 'image/png');
  await db().update(uploads).set({ readyAt: now }).where(eq(uploads.id, id));
  const endedAt = async () => (await db().select().from(uploads).where(eq(uploads.id, id)))[0]?.deletedAt;
  await forgetUploads(later(29));
  expect(await endedAt()).toBeNull();
  await forgetUploads(later(31));
  expect(await endedAt()).toEqual(later(31));
  // a PUT that is still in progress must find the ended upload
  await forgetUploads(later(31.9));
  expect(await endedAt()).toEqual(later(31));
  await forgetUploads(later(32.1));
  expect(await endedAt()).toBeUndefined();
});

test('a file without a row is deleted after an hour, and files of rows and of open tickets stay', async () => {
  const kept = await keep('result', later(30));
  const orphan = await leaveBehind();
  const ticket = await createUploadTicket(accountId, 'image/png');
  const arriving = new URL(ticket.url).pathname.replace('/media/', '');
  await storage().put(arriving, Buffer.from('just stored, row to come'), 'image/png');
  expect(await sweepOrphans(new Date(now.getTime() + 30 * 60_000))).toBe(0);
  expect(await sweepOrphans(new Date(now.getTime() + 90 * 60_000))).toBe(1);
  expect(await storage().head(orphan)).toBeNull();
  expect(await storage().head(arriving)).not.toBeNull();
  expect(await isThere(kept)).toEqual(THERE);
  // a completed upload no longer protects the file; its media row would
  await pool().query('update uploads set ready_at = now() where id = $1', [ticket.id]);
  expect(await sweepOrphans(new Date(now.getTime() + 90 * 60_000))).toBe(1);
});

test('files that a request has stored are kept for as long as a worker holds the request', async () => {
  const id = newId();
  await pool().query(
    `insert into requests (id, account_id, status, worker, started_at, architecture, model_id, type, engine, prompt, body, config, seed, output, gems)
    values ($1, $2, 'in_progress', $1, now() - interval '3 hours', 'mango', 'mango-v3', 'image', 'none', 'x', '{}', '{}', 1, '{}', 1)`,
    [id, accountId],
  );
  const [before, since, atOnce] = [await leaveBehind(), await leaveBehind(), await leaveBehind()];
  const media = join(process.env.DATA_DIR!, 'media');
  await utimes(join(media, before), now, later(-4 / 24));
  await utimes(join(media, since), now, later(-2 / 24));
  // the file system's clock may be behind the database's
  await utimes(join(media, atOnce), now, new Date(later(-3 / 24).getTime() - 30_000));
  expect(await sweepOrphans(now)).toBe(1);
  expect(await storage().head(before)).toBeNull();
  for (const key of [since, atOnce]) expect(await storage().head(key)).not.toBeNull();
  // a request that no worker holds will store its files anew
  await pool().query('update requests set worker = null where id = $1', [id]);
  expect(await sweepOrphans(now)).toBe(2);
  await pool().query(`update requests set status = 'cancelled', finished_at = now() where id = $1`, [id]);
});

test('the orphan sweep leaves unknown files alone and still deletes orphans', async () => {
  const ours = newMediaKey('result', 'image/png');
  const strange = ['pictures/holiday.png', 'result/holiday.png', `backup/${ours}`, `${ours}.png`];
  for (const key of strange) await storage().put(key, Buffer.from(key), 'image/png');
  await writeFile(join(process.env.DATA_DIR!, 'media', 'notes'), 'a file without a type');
  const orphan = await leaveBehind();
  expect(await sweepOrphans(later(1))).toBe(1);
  expect(await storage().head(orphan)).toBeNull();
  for (const key of strange) expect(await storage().head(key)).not.toBeNull();
});

test('a file that the store fails to delete does not prevent the deletion of others', async () => {
  const keys = Array.from({ length: 600 }, () => newMediaKey('result', 'image/png'));
  vi.spyOn(storage(), 'list').mockImplementation(async function* () {
    for (const key of keys) yield { key, bytes: 1, modifiedAt: now };
  });
  const asked = vi.spyOn(storage(), 'delete').mockImplementation(async key => {
    if (key === keys[0]) throw new Error('it is locked');
  });
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await sweepOrphans(later(1))).toBe(100);
  expect(asked.mock.calls.flat().toSorted()).toEqual(keys.toSorted());
  // a store that is down is not asked for every file
  asked.mockReset().mockRejectedValue(Object.assign(new Error('the store is out'), { code: 'ECONNREFUSED' }));
  await expect(sweepOrphans(later(1))).rejects.toThrow('the store is out');
  expect(asked.mock.calls.length).toBeLessThan(100);
});

test('the orphan sweep spares files that another database may own, until the deployment is adopted with sweep', async () => {
  onTestFinished(() => adoptDeployment({ sweep: true }));
  const unknown = await leaveBehind();
  const expired = await keep('result', later(-1));
  const gone = vi.spyOn(storage(), 'delete').mockRejectedValueOnce(new Error('the store is out'));
  await expect(expireMedia(now)).rejects.toThrow('the store is out');
  gone.mockRestore();
  expect(await isThere(expired)).toEqual({ row: false, file: true });

  // the database was emptied, or loaded from a dump, while this worker ran
  await pool().query(`delete from settings where name = 'deployment'`);
  expect(await sweepOrphans(later(1))).toBe(0);
  await adoptDeployment();
  await pool().query(
    `update settings set value = value || '{"database": "the one that was dumped"}' where name = 'deployment'`,
  );
  expect(await sweepOrphans(later(1))).toBe(0);

  // files from before the adoption are left alone, except those with a row of this database
  await adoptDeployment();
  expect(await sweepOrphans(later(1))).toBe(1);
  expect(await isThere(expired)).toEqual(GONE);
  const known = await leaveBehind();
  // the file system's clock may be some milliseconds behind
  await utimes(join(process.env.DATA_DIR!, 'media', known), now, later(0.01));
  expect(await sweepOrphans(later(1))).toBe(1);
  expect(await storage().head(known)).toBeNull();
  expect(await storage().head(unknown)).not.toBeNull();

  await adoptDeployment({ sweep: true });
  expect(await sweepOrphans(later(1))).toBe(1);
  expect(await storage().head(unknown)).toBeNull();
});

test('files that were deleted during a move as in docs/storage.md are not kept by the new store', async () => {
  const [kept, deleted] = [await keep('result', later(30)), await keep('result', later(30))];
  const old = storage();
  const moved = createLocalStore(await mkdtemp(join(tmpdir(), 'pomona-moved-')));
  await copyStore(old, moved);
  await old.delete(deleted.key);
  await db().delete(media).where(eq(media.id, deleted.id));
  await copyStore(old, moved);
  singletons.set('storage', { ...old, ...moved });
  onTestFinished(() => {
    singletons.set('storage', old);
    return adoptDeployment({ sweep: true });
  });

  const guide = await readFile('docs/storage.md', 'utf8');
  const adopts = guide.match(/^npm run .* deployment adopt.*$/gm) ?? [];
  expect(adopts).toHaveLength(2);
  for (const adopt of adopts) await adoptDeployment({ sweep: adopt.endsWith(' --sweep') });
  await sweepOrphans(later(1));
  expect(await moved.head(deleted.key)).toBeNull();
  expect(await moved.head(kept.key)).not.toBeNull();
});

test('any number of expired files is deleted, in portions of 200', async () => {
  await pool().query(
    `insert into media (id, account_id, kind, key, content_type, bytes, expires_at)
    select gen_random_uuid(), $1, 'result', 'result/' || n || '.png', 'image/png', 1, $2 from generate_series(1, 401) n`,
    [accountId, later(-1)],
  );
  const marked = vi.spyOn(pool(), 'query');
  expect(await expireMedia(now)).toBeGreaterThan(400);
  const portions = await Promise.all(marked.mock.results.map(({ value }) => value as Promise<{ rowCount: number }>));
  marked.mockRestore();
  expect(Math.max(...portions.map(({ rowCount }) => rowCount))).toBe(200);
});

test('expired files are deleted several at a time', async () => {
  const expired = await Promise.all([1, 2, 3].map(() => keep('result', later(-1))));
  const [seen, together] = [new Set<string>(), Promise.withResolvers<void>()];
  const gone = vi.spyOn(storage(), 'delete').mockImplementation(key => {
    if (seen.add(key).size === 2) together.resolve();
    return together.promise;
  });
  onTestFinished(() => gone.mockRestore());
  await expireMedia(now);
  expect([...seen]).toEqual(expect.arrayContaining(expired.map(({ key }) => key)));
});
