import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createApiKey, listApiKeys, revokeApiKey } from '#lib/accounts/api-keys';
import { createCharacter, deleteCharacter, listCharacters } from '#lib/cast/characters';
import { createReference } from '#lib/cast/references';
import { newCharacter, newReference } from '#lib/contract/cast-schemas';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { newId } from '#lib/ids';
import { createCollection } from '#lib/library/collections';
import { createPreset } from '#lib/library/presets';
import { createShare } from '#lib/library/shares';
import { timesReached } from '#lib/limits';
import { makeImage } from '#lib/media/media-test-files';
import { readQuotas } from '#lib/quotas';
import { storage } from '#lib/storage/store';
import { completeUpload, findOpenUpload } from '#lib/uploads/complete-upload';
import { keyOfUrl } from '#lib/uploads/key-of-url';
import { storeInput } from '#lib/uploads/store-input';
import { createUploadTicket } from '#lib/uploads/upload-ticket';
import { deleteUpload, listUploads } from '#lib/uploads/uploads';
import { createWebhook, showRequestWebhook } from '#lib/webhooks/webhooks';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-quotas-'));

const GENEROUS = {
  LIMIT_STORED_BYTES: 1_000_000,
  LIMIT_UPLOADS: 100,
  LIMIT_KEYS: 100,
  LIMIT_CAST: 100,
  LIMIT_COLLECTIONS: 100,
  LIMIT_SHARES: 100,
};
const FULL = { code: 'quota_exceeded' };
const picture = `data:image/png;base64,${(await makeImage(64, 64).png().toBuffer()).toString('base64')}`;
let accountId: string;

beforeEach(async () => {
  Object.assign(env(), GENEROUS);
  accountId = (await createAccount({ email: `${newId()}@example.com` })).id;
});

const makeKey = () => createApiKey(accountId, { name: 'key' });
const makeCharacter = () =>
  createCharacter({ accountId, mayCreateCast: true }, newCharacter.parse({ name: 'Ana', image: picture }));
const makeReference = () =>
  createReference(
    { accountId, mayCreateCast: true },
    newReference.parse({ name: 'Harbour', kind: 'location', image: picture }),
  );
const makeCollection = () => createCollection(accountId, { name: 'Figs', requestIds: [] });
const used = async (name: string) => (await readQuotas(accountId)).find(({ setting }) => setting === name)?.used;

async function upload(bytes: number) {
  const { id, url } = await createUploadTicket(accountId, 'image/png');
  const key = keyOfUrl(url)!;
  await completeUpload(key, await storage().put(key, new Uint8Array(bytes), 'image/png'));
  return { id, key };
}

/** Runs an action several times concurrently; returns how many succeeded. */
async function race(act: () => Promise<unknown>, times: number): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: times }, act));
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(FULL);
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

test('keys: concurrent creations stop at the limit; a revoked or expired key makes room', async () => {
  Object.assign(env(), { LIMIT_KEYS: 3 });
  expect(await race(makeKey, 12)).toBe(3);
  expect(await used('LIMIT_KEYS')).toBe(3);
  const [first, second] = await listApiKeys(accountId);
  await revokeApiKey(accountId, first!.id);
  await makeKey();
  await expect(makeKey()).rejects.toMatchObject(FULL);
  expect(timesReached('LIMIT_KEYS')).toBe(10);
  await pool().query('update api_keys set expires_at = now() where id = $1', [second!.id]);
  await makeKey();
});

test('uploads: open tickets count until they expire; deleted uploads do not count', async () => {
  Object.assign(env(), { LIMIT_UPLOADS: 4 });
  const { id } = await upload(1);
  expect(await race(() => createUploadTicket(accountId, 'image/png'), 9)).toBe(3);
  await deleteUpload(accountId, id);
  await createUploadTicket(accountId, 'image/png');
  await expect(createUploadTicket(accountId, 'image/png')).rejects.toMatchObject(FULL);
  expect((await listUploads(accountId, { limit: 10 })).data).toHaveLength(4);
  await pool().query('update uploads set put_expires_at = now() where account_id = $1', [accountId]);
  await upload(1);
  expect(await used('LIMIT_UPLOADS')).toBe(1);
});

test('bytes: an upload beyond the limit is refused, also when concurrent, and a deleted one makes room', async () => {
  Object.assign(env(), { LIMIT_STORED_BYTES: 1_000 });
  const first = await upload(600);
  const { url } = await createUploadTicket(accountId, 'image/png');
  const key = keyOfUrl(url)!;
  const stored = await storage().put(key, new Uint8Array(401), 'image/png');
  await expect(completeUpload(key, stored)).rejects.toMatchObject(FULL);
  expect((await findOpenUpload(key))?.readyAt).toBeNull();
  expect(await used('LIMIT_STORED_BYTES')).toBe(600);
  await upload(400);
  await expect(createUploadTicket(accountId, 'image/png')).rejects.toMatchObject(FULL);
  await deleteUpload(accountId, first.id);
  expect(await race(() => upload(300), 5)).toBe(2);
});

test('bytes: a character beyond the limit is refused and leaves no files', async () => {
  Object.assign(env(), { LIMIT_STORED_BYTES: 10 });
  await expect(makeCharacter()).rejects.toMatchObject(FULL);
  expect(await used('LIMIT_STORED_BYTES')).toBe(0);
  for await (const { key } of storage().list('')) expect(key).not.toMatch(/^(input|entity)\//);
});

test('bytes: files of a character count', async () => {
  await makeCharacter();
  const { rows } = await pool().query<{ bytes: number }>(
    `select sum(bytes)::int as bytes from media where account_id = $1 and kind = 'entity'`,
    [accountId],
  );
  expect(rows[0]!.bytes).toBeGreaterThan(0);
  expect(await used('LIMIT_STORED_BYTES')).toBe(rows[0]!.bytes);
});

/** Stores one file for each given first byte, all concurrently. */
async function storeAtOnce(...firsts: number[]) {
  const folder = await mkdtemp(join(tmpdir(), 'pomona-inputs-'));
  const facts = {
    contentType: 'image/png',
    width: 1,
    height: 1,
    duration: null,
    hasAudio: false,
    isRaw: false,
  } as const;
  const paths = firsts.map((_, at) => join(folder, `${at}`));
  await Promise.all(paths.map((path, at) => writeFile(path, Buffer.alloc(300, firsts[at]))));
  const store = () => storeInput(accountId, paths.pop()!, facts);
  const before = await inputsInStore();
  const through = await race(store, paths.length);
  return { through, left: (await inputsInStore()) - before };
}

async function inputsInStore(): Promise<number> {
  let count = 0;
  for await (const _ of storage().list('input/')) count++;
  return count;
}

test('bytes: concurrent inputs are kept only up to the limit, and identical ones are stored once', async () => {
  Object.assign(env(), { LIMIT_STORED_BYTES: 1_000 });
  expect(await storeAtOnce(1, 2, 3, 4, 5, 6, 7, 8)).toEqual({ through: 3, left: 3 });
  expect(await used('LIMIT_STORED_BYTES')).toBe(900);
  accountId = (await createAccount({ email: `${newId()}@example.com` })).id;
  Object.assign(env(), { LIMIT_STORED_BYTES: 500 });
  expect(await storeAtOnce(1, 1, 1, 1, 1, 1, 1, 1)).toEqual({ through: 8, left: 1 });
  expect(await used('LIMIT_STORED_BYTES')).toBe(300);
});

test('cast: concurrent creations stop at the limit; a deleted character makes room', async () => {
  Object.assign(env(), { LIMIT_CAST: 2 });
  expect(await race(makeCharacter, 5)).toBe(2);
  const { data } = await listCharacters(accountId, { limit: 10 });
  expect(data).toHaveLength(2);
  await deleteCharacter(accountId, data[0]!.row.id);
  await makeCharacter();
  await expect(makeCharacter()).rejects.toMatchObject(FULL);
});

test('cast: characters and references share one limit', async () => {
  Object.assign(env(), { LIMIT_CAST: 2 });
  await makeCharacter();
  await makeReference();
  for (const make of [makeCharacter, makeReference]) await expect(make()).rejects.toMatchObject(FULL);
  expect(await used('LIMIT_CAST')).toBe(2);
});

const MAKE = {
  LIMIT_COLLECTIONS: makeCollection,
  LIMIT_SHARES: async () => createShare(accountId, { collection_id: (await makeCollection()).id, settings: false }),
  LIMIT_PRESETS: () => createPreset(accountId, { name: 'dusk', architecture: null, settings: { prompt: 'at dusk' } }),
  LIMIT_WEBHOOKS: () => createWebhook(accountId, { url: 'https://example.com/messages' }),
};

test.each(Object.entries(MAKE))('%s: concurrent creations stop at the limit', async (name, make) => {
  Object.assign(env(), { [name]: 2 });
  expect(await race(make, 6)).toBe(2);
  expect(await used(name)).toBe(2);
});

test('the webhook of the addresses that requests name does not count', async () => {
  Object.assign(env(), { LIMIT_WEBHOOKS: 1 });
  await showRequestWebhook(accountId);
  await MAKE.LIMIT_WEBHOOKS();
  expect(await used('LIMIT_WEBHOOKS')).toBe(1);
});

test('an existing share can be changed after the limit was lowered', async () => {
  const { id: collection_id } = await makeCollection();
  await createShare(accountId, { collection_id, settings: false });
  Object.assign(env(), { LIMIT_SHARES: 0 });
  expect((await createShare(accountId, { collection_id, settings: true })).row.settings).toBe(true);
});

test('each account has its own limits', async () => {
  Object.assign(env(), { LIMIT_KEYS: 1 });
  await makeKey();
  accountId = (await createAccount({ email: `${newId()}@example.com` })).id;
  await makeKey();
});
