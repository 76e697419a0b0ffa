import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import type { Caller } from '#lib/accounts/callers';
import { accountWith } from '#lib/accounts/test-callers';
import { buildIndexes } from '#lib/db/build-indexes';
import { db, pool } from '#lib/db/client';
import { media } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { cancelGeneration } from '#lib/generations/cancel';
import { markFavourite } from '#lib/generations/favourite';
import { getReadable } from '#lib/generations/read';
import { removeGeneration } from '#lib/generations/remove';
import { submitGeneration } from '#lib/generations/submit';
import { addTag, removeTag } from '#lib/generations/tags';
import { make, accountId } from '#lib/generations/test-results';
import { toWire } from '#lib/generations/to-wire';
import { createPreset } from '#lib/library/presets';
import { begin, commitWhenWaitedFor } from '#lib/life/test-requests';
import { findMedia, isLive } from '#lib/media/find-media';
import { makeImage } from '#lib/media/media-test-files';
import { startRun } from '#lib/recipes/start';
import { readQuotas } from '#lib/quotas';
import { newMediaKey } from '#lib/storage/media-key';
import { storage } from '#lib/storage/store';
import { completeUpload } from '#lib/uploads/complete-upload';
import { keyOfUrl } from '#lib/uploads/key-of-url';
import { createUploadTicket } from '#lib/uploads/upload-ticket';
import { deleteUpload } from '#lib/uploads/uploads';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-remove-'));
process.env.LOG_LEVEL = 'silent';
await buildIndexes();

const PICTURE = await makeImage(64, 48).webp().toBuffer();
const DATA_URL = `data:image/webp;base64,${PICTURE.toString('base64')}`;

let caller: Caller;
beforeEach(async () => void (caller = await accountWith(10_000)));

/** Submits a request with an image, and cancels it unless it is to stay live. */
async function submit({ image = DATA_URL, live = false } = {}) {
  const body = () => Promise.resolve({ prompt: 'dusk', image });
  const { id } = (await submitGeneration({ caller, architectureId: 'mango', body })).generation;
  if (!live) await cancelGeneration(caller.accountId, id);
  const { inputs, body: stored } = await getReadable(caller.accountId, id);
  return { id, mediaId: inputs[0]!.mediaId!, url: String(stored.image) };
}

const remove = (id: string) => removeGeneration(caller.accountId, id);
/** Makes the last use of an input too old to be of a submit that is not decided yet. */
const age = (mediaId: string) =>
  pool().query(`update media set expires_at = expires_at - interval '1 hour' where id = $1`, [mediaId]);
const isThere = async (url: string) => isLive((await findMedia(keyOfUrl(url)!))!);
const stored = async () =>
  (await readQuotas(caller.accountId)).find(({ setting }) => setting === 'LIMIT_STORED_BYTES')?.used;

test.each([
  ['the older one first', [0, 1]],
  ['the newer one first', [1, 0]],
] as const)('an input ends with the last of the requests that have it, %s', async (_, [first, last]) => {
  const both = [await submit(), await submit()];
  const { url } = both[0]!;
  expect(both[1]!.url).toBe(url);
  await remove(both[first]!.id);
  expect(await isThere(url)).toBe(true);
  await remove(both[last]!.id);
  expect(await isThere(url)).toBe(false);
  expect(await stored()).toBe(0);
  // the same file can be given again
  expect((await submit()).url).toBe(url);
  expect(await isThere(url)).toBe(true);
});

test('an input of a removed request stays for a live request, and its retry', async () => {
  const { id, url } = await submit();
  const live = await submit({ image: url, live: true });
  await remove(id);
  expect(await isThere(url)).toBe(true);
  await cancelGeneration(caller.accountId, live.id);
  expect((await submit({ image: url })).url).toBe(url);
});

test.each([
  [
    'a recipe run that was given it',
    async ({ mediaId, url }) => {
      await startRun({ caller, recipeId: 'character_sheet', body: () => Promise.resolve({ portrait: url }) });
      await age(mediaId);
    },
  ],
  [
    'a recipe run whose removed request has it',
    ({ mediaId }) =>
      pool().query(
        `update requests set run_id = gen_random_uuid(), removed_at = now() where account_id = $1 and inputs @> $2`,
        [caller.accountId, JSON.stringify([{ mediaId }])],
      ),
  ],
  [
    'a preset that names it',
    ({ url }) =>
      createPreset(caller.accountId, { name: 'dusk', architecture: 'mango', settings: { additional_images: [url] } }),
  ],
  [
    'a request that is fetching its files',
    async ({ mediaId }) => {
      const { id } = await submit({ live: true });
      await age(mediaId);
      await pool().query(
        `update requests set fetched = false, worker = gen_random_uuid(), inputs = '[{"mediaId": null}]' where id = $1`,
        [id],
      );
    },
  ],
  [
    'a submit that has just taken it',
    ({ mediaId }) =>
      pool().query(`update media set expires_at = expires_at + interval '1 minute' where id = $1`, [mediaId]),
  ],
] as [string, (input: { mediaId: string; url: string }) => Promise<unknown>][])(
  'an input of a removed request stays for %s',
  async (_, use) => {
    const { id, ...input } = await submit();
    await use(input);
    await remove(id);
    expect(await isThere(input.url)).toBe(true);
  },
);

test('of concurrent removals of two requests with the same input, one ends it', async () => {
  const [mine, theirs] = [await submit(), await submit()];
  const held = await begin();
  await held.query('update requests set removed_at = now() where id = $1', [theirs.id]);
  await held.query('select from media where id = $1 for no key update', [mine.mediaId]);
  const removed = remove(mine.id);
  await commitWhenWaitedFor(held);
  await removed;
  expect(await isThere(mine.url)).toBe(false);
});

test('the converted copy of an upload ends with the upload and the requests that have it', async () => {
  const upload = async () => {
    const ticket = await createUploadTicket(caller.accountId, 'image/webp');
    const key = newMediaKey('upload', 'image/webp');
    await completeUpload(keyOfUrl(ticket.url)!, await storage().put(key, PICTURE, 'image/webp'), key);
    return ticket;
  };
  const used = await upload();
  const { id, url } = await submit({ image: used.url });
  await deleteUpload(caller.accountId, used.id);
  expect(await isThere(url)).toBe(true);
  await remove(id);
  expect(await isThere(url)).toBe(false);

  const unused = await upload();
  const { mediaId } = await submit({ image: unused.url });
  await pool().query('delete from requests where account_id = $1', [caller.accountId]);
  await db()
    .update(media)
    .set({ expiresAt: new Date(Date.now() + 86_400_000) })
    .where(eq(media.id, mediaId));
  await deleteUpload(caller.accountId, unused.id);
  expect(await isThere(url)).toBe(false);
});

test('a removed result says that it expired at its removal, and an expired one when it did', async () => {
  const [removed, expired] = [await make(), await make({ daysAgo: 31 })];
  const before = toWire(await getReadable(accountId, expired)).result!.expires_at;
  for (const id of [removed, expired, removed]) await removeGeneration(accountId, id);
  const { result, removed_at } = toWire(await getReadable(accountId, removed));
  expect(result!.expires_at).toBe(removed_at);
  expect(Date.now() - Date.parse(removed_at!)).toBeLessThan(60_000);
  expect(toWire(await getReadable(accountId, expired)).result!.expires_at).toBe(before);
});

test('a refused submit is not in the history to be marked, and its removal leaves only the refusal', async () => {
  const submitAgain = () =>
    submitGeneration({
      caller,
      architectureId: 'z_image',
      idempotencyKey: 'refused',
      body: () => Promise.resolve({ prompt: 'nude child' }),
    }).catch((error: unknown) => error);
  const refusal = (await submitAgain()) as { extra: { request_id: string } };
  const id = refusal.extra.request_id;
  for (const mark of [
    () => markFavourite(caller.accountId, id, true),
    () => addTag(caller.accountId, id, 'x'),
    () => removeTag(caller.accountId, id, 'x'),
  ])
    await expect(mark()).rejects.toMatchObject({
      code: 'request_not_found',
      message: 'This request was refused and is not in the history.',
    });
  const read = async () => toWire(await getReadable(caller.accountId, id));
  const { prompt, error } = await read();
  expect(prompt).toBe('nude child');
  await remove(id);
  const removed = await read();
  expect(removed).toMatchObject({ status: 'failed', prompt: '', error, removed_at: expect.any(String) });
  expect(removed.updated_at).toBe(removed.removed_at);
  await remove(id);
  expect(await read()).toEqual(removed);
  expect(await submitAgain()).toEqual(refusal);
});
