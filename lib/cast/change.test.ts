import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, inArray, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { changeCharacter } from '#lib/cast/change-character';
import { createCharacter, deleteCharacter, getCharacter, type Character } from '#lib/cast/characters';
import { lastMention } from '#lib/cast/entity-files';
import { findMentionable } from '#lib/cast/find-mentionable';
import { setVisibility } from '#lib/cast/publish';
import { changeReference, createReference } from '#lib/cast/references';
import { characterToWire } from '#lib/cast/to-wire';
import { newCharacter, newReference, patchCharacter, patchReference } from '#lib/contract/cast-schemas';
import { db, pool } from '#lib/db/client';
import { media } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { newId } from '#lib/ids';
import { begin, commitWhenWaitedFor } from '#lib/life/test-requests';
import { findMedia, isLive } from '#lib/media/find-media';
import { dataUrl, makeImage, makeWav } from '#lib/media/media-test-files';
import { expireMedia } from '#lib/retention/expire-media';
import { storage } from '#lib/storage/store';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-change-'));
process.env.LOG_LEVEL = 'silent';

const DAY = 86_400_000;
const picture = async (side: number) => dataUrl(await makeImage(side, side).png().toBuffer());
const [one, two, three] = await Promise.all([picture(64), picture(72), picture(80)]);
const sound = dataUrl(makeWav(1, { hertz: 440 }));

const someone = async () => ({
  accountId: (await createAccount({ email: `${newId()}@example.com` })).id,
  mayCreateCast: true,
});
type Creator = Awaited<ReturnType<typeof someone>>;
const save = (creator: Creator, rest: object = {}) =>
  createCharacter(creator, newCharacter.parse({ name: 'Ana', image: one, voice: sound, ...rest }));
const change = (creator: Creator, { row }: Character, to: object) =>
  changeCharacter(creator, row.id, patchCharacter.parse(to));
const keysOf = ({ pictures }: Character) => pictures.map(({ key }) => key);
const urlsOf = (character: Character) => keysOf(character).map(key => storage().url(key));
const sidesOf = async (character: Character) =>
  Promise.all(keysOf(character).map(async key => (await findMedia(key))!.width));
const isThere = async (key: string) => isLive((await findMedia(key))!);
const isStored = async (key: string) => (await storage().head(key)) !== null;

type Mentioned = { row: { id: string; handle: string }; pictures: { mediaId: string }[] };

async function acceptRequest(accountId: string, { row, pictures }: Mentioned, status = 'queued'): Promise<void> {
  const mediaIds = pictures.map(({ mediaId }) => mediaId);
  await pool().query(
    `insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, inputs, mentions, gems)
    values ($1, $2, $5, 'mango', 'mango-v3', 'image', 'none', 'x', '{}', '{}', 1, '{}', $3, $4, 1)`,
    [
      newId(),
      accountId,
      JSON.stringify(mediaIds.map(mediaId => ({ role: 'reference', mediaId, handle: row.handle }))),
      JSON.stringify([{ handle: row.handle, id: row.id, kind: 'character', mediaIds }]),
      status,
    ],
  );
}

test('given members of a character change, omitted ones stay, and the handle never changes', async () => {
  const ana = await someone();
  const before = await save(ana, { description: 'a hat' });
  const named = await change(ana, before, { name: 'Ana Ray' });
  expect(characterToWire(named)).toEqual({ ...characterToWire(before), name: 'Ana Ray' });
  const bare = await change(ana, before, { description: null, voice: null });
  expect(characterToWire(bare)).toMatchObject({ name: 'Ana Ray', description: null, voice_url: null });
  const heard = await change(ana, before, { voice: sound, image: two });
  expect(characterToWire(heard)).toMatchObject({ handle: before.row.handle, voice_url: expect.any(String) });
  expect(await sidesOf(heard)).toEqual([72]);
  expect(await getCharacter(ana.accountId, before.row.id)).toEqual(heard);
  expect(() => patchCharacter.parse({ handle: 'other' })).toThrow('left out: a handle cannot be changed');
  const same = await change(ana, before, { voice: storage().url(heard.voice!.key) });
  expect(same).toMatchObject({ pictures: heard.pictures, voice: heard.voice });
});

test('images get the order in which they are given; new ones are added, and known ones are reused', async () => {
  const ana = await someone();
  const both = await save(ana, { additional_images: [two] });
  expect(await sidesOf(both)).toEqual([64, 72]);
  const [first, second] = urlsOf(both);
  const longer = await change(ana, both, { additional_images: [second, three] });
  expect(await sidesOf(longer)).toEqual([64, 72, 80]);
  expect(keysOf(longer).slice(0, 2)).toEqual(keysOf(both));
  const swapped = await change(ana, longer, { image: second, additional_images: [first] });
  expect(keysOf(swapped)).toEqual(keysOf(both).toReversed());
  // a picture that becomes the portrait is removed from the others
  const moved = await change(ana, swapped, { image: first });
  expect(keysOf(moved)).toEqual([keysOf(both)[0]]);
  // a URL given twice results in two pictures
  const twice = await change(ana, moved, { additional_images: [first, first] });
  expect(new Set(keysOf(twice)).size).toBe(3);
  expect(() => patchCharacter.parse({ additional_images: Array.from({ length: 8 }, () => one) })).toThrow(
    'at most 7 images beside the portrait',
  );
});

test('images of a changed or deleted character are deleted only after the requests that use them have ended', async () => {
  const ana = await someone();
  const before = await save(ana, { additional_images: [two] });
  const unused = await change(ana, await save(ana), { image: two });
  await acceptRequest(ana.accountId, before);
  const after = await change(ana, before, { image: three, additional_images: [] });
  expect(await Promise.all(keysOf(before).map(isThere))).toEqual([true, true]);
  await acceptRequest(ana.accountId, after);
  await deleteCharacter(ana.accountId, after.row.id);
  const keys = [...keysOf(before), ...keysOf(after)];
  // long after the requests should have finished
  await expireMedia(new Date(Date.now() + 40 * DAY));
  expect(await Promise.all(keys.map(isStored))).toEqual([true, true, true]);
  expect(keysOf(unused)).toHaveLength(1);
  const ended = `update requests set status = 'cancelled', finished_at = now() where account_id = $1`;
  await pool().query(ended, [ana.accountId]);
  await expireMedia(new Date(Date.now() + 40 * DAY));
  expect(await Promise.all(keys.map(isStored))).toEqual([false, false, false]);
});

test('a replaced image is deleted soon if no request used it, and after 30 days if a finished request did', async () => {
  const ana = await someone();
  const before = await save(ana);
  const used = await change(ana, before, { image: two });
  await acceptRequest(ana.accountId, used, 'completed');
  await change(ana, used, { image: three });
  const keys = [...keysOf(before), ...keysOf(used)];
  const left = async (later: number) => {
    await expireMedia(new Date(Date.now() + later));
    return Promise.all(keys.map(isStored));
  };
  expect(await left(DAY / 24)).toEqual([false, true]);
  expect(await left(29 * DAY)).toEqual([false, true]);
  expect(await left(31 * DAY)).toEqual([false, false]);
});

test('the last use of an entity is looked up by an index on its own mentions, however many requests exist', async () => {
  const ana = await someone();
  const { row } = await save(ana);
  await acceptRequest(ana.accountId, await getCharacter(ana.accountId, row.id), 'completed');
  const mentions = JSON.stringify([{ handle: 'else', id: newId(), kind: 'character', mediaIds: [newId()] }]);
  await pool().query(
    `insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, mentions, gems)
    select gen_random_uuid(), $1, 'completed', 'mango', 'mango-v3', 'image', 'none', 'x', '{}', '{}', 1, '{}', $2, 1
    from generate_series(1, 2000)`,
    [(await someone()).accountId, mentions],
  );
  await pool().query('vacuum analyze requests, request_mentions');
  const { rows } = await db().execute<{ 'QUERY PLAN': string }>(sql`explain (costs off) ${lastMention(row)}`);
  const plan = rows.map(line => line['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/using request_mentions_\w+ on request_mentions\n.*Index Cond: \(.*account_id.*handle/);
  expect(plan).not.toContain('Seq Scan');
});

test('a replaced image stays available for a submit that looked it up before', async () => {
  const ana = await someone();
  const before = await save(ana);
  await change(ana, before, { image: two });
  await expireMedia(new Date());
  expect(await isThere(keysOf(before)[0]!)).toBe(true);
});

test('the copies of a public character for others follow its changes, and end when it is unpublished', async () => {
  const ana = await someone();
  const { accountId: stranger } = await someone();
  const { row } = await save(ana);
  const published = await setVisibility(ana.accountId, row.id, 'public');
  const given = async () => {
    const found = (await findMentionable(stranger, [row.handle])).get(row.handle);
    const ids = found ? [...found.imageIds, ...(found.soundId ? [found.soundId] : [])] : [];
    const rows = await db().select().from(media).where(inArray(media.id, ids));
    return ids.map(id => rows.find(file => file.id === id)!);
  };
  const before = await given();
  expect(before.map(({ width, duration }) => width ?? duration)).toEqual([64, 1]);
  const changed = await change(ana, published, { image: two, additional_images: [three], voice: null });
  const after = await given();
  expect(after.map(({ width }) => width)).toEqual([72, 80]);
  expect(after.filter(({ key }) => keysOf(changed).includes(key))).toEqual([]);
  expect(await Promise.all(before.map(({ key }) => isThere(key)))).toEqual([false, false]);
  expect(await Promise.all(after.map(({ key }) => isThere(key)))).toEqual([true, true]);
  // reordering the pictures keeps the same copies
  const [first, second] = urlsOf(changed);
  await change(ana, changed, { image: second, additional_images: [first] });
  expect(await given()).toEqual(after.toReversed());
  await setVisibility(ana.accountId, row.id, 'private');
  expect(await given()).toEqual([]);
  expect(await Promise.all(after.map(({ key }) => isThere(key)))).toEqual([false, false]);
  await deleteCharacter(ana.accountId, row.id);
  const all = await db().select().from(media).where(eq(media.accountId, ana.accountId));
  expect(all.filter(file => isLive(file) && file.expiresAt === null)).toEqual([]);
});

test('concurrent changes of different members and a publication all take effect, and no file is left over', async () => {
  const ana = await someone();
  const { accountId: stranger } = await someone();
  const before = await save(ana);
  await Promise.all([
    change(ana, before, { image: two }),
    change(ana, before, { additional_images: [three] }),
    change(ana, before, { name: 'Bo' }),
    setVisibility(ana.accountId, before.row.id, 'public'),
    change(ana, before, { voice: null }),
  ]);
  const after = await getCharacter(ana.accountId, before.row.id);
  expect(after).toMatchObject({ row: { name: 'Bo', visibility: 'public' }, voice: null });
  expect(await sidesOf(after)).toEqual([72, 80]);
  const { imageIds } = (await findMentionable(stranger, [after.row.handle])).get(after.row.handle)!;
  expect(imageIds).toEqual(after.pictures.map(({ publicMediaId }) => publicMediaId));
  const kept = await db().select().from(media).where(eq(media.accountId, ana.accountId));
  const owned = kept.filter(({ expiresAt }) => expiresAt === null).map(({ id }) => id);
  expect(owned.toSorted()).toEqual([...after.pictures.map(({ mediaId }) => mediaId), ...imageIds].toSorted());
});

test('a character is deleted even if it is changed at the same time', async () => {
  const ana = await someone();
  const { row } = await save(ana);
  const other = await begin();
  await other.query('update characters set revision = revision + 1 where id = $1', [row.id]);
  const deleted = deleteCharacter(ana.accountId, row.id);
  await commitWhenWaitedFor(other);
  await deleted;
  await expect(getCharacter(ana.accountId, row.id)).rejects.toMatchObject({ code: 'character_not_found' });
});

test('a change that is refused leaves the character and its files unchanged', async () => {
  const ana = await someone();
  const before = await save(ana);
  const count = () => db().$count(media, eq(media.accountId, ana.accountId));
  const files = await count();
  await expect(
    change(ana, before, { name: 'Bo', image: two, additional_images: [three, sound] }),
  ).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { issues: [{ path: '/additional_images/1' }] },
  });
  await expect(change({ ...ana, mayCreateCast: false }, before, { name: 'Bo' })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(change(await someone(), before, { name: 'Bo' })).rejects.toMatchObject({ code: 'character_not_found' });
  env().LIMIT_STORED_BYTES = 10;
  await expect(change(ana, before, { image: two })).rejects.toMatchObject({ code: 'quota_exceeded' });
  env().LIMIT_STORED_BYTES = Infinity;
  expect(await getCharacter(ana.accountId, before.row.id)).toEqual(before);
  expect(await count()).toBe(files);
});

test('a reference accepts a new file according to its kind, and its replaced one expires 30 days after its last use', async () => {
  const ana = await someone();
  const make = (rest: object) => createReference(ana, newReference.parse({ name: 'Harbour', ...rest }));
  const to = (id: string, body: object) => changeReference(ana, id, patchReference.parse(body));
  const place = await make({ kind: 'location', image: one });
  const tune = await make({ kind: 'audio', audio: sound });
  await acceptRequest(ana.accountId, { row: place.row, pictures: [place.file] }, 'completed');
  const moved = await to(place.row.id, { image: two, description: 'at night' });
  expect(moved.row).toMatchObject({ handle: place.row.handle, name: 'Harbour', description: 'at night' });
  expect(await findMedia(moved.file.key)).toMatchObject({ width: 72, expiresAt: null });
  const { expiresAt } = (await findMedia(place.file.key))!;
  expect(Math.round((Number(expiresAt) - Date.now()) / DAY)).toBe(30);
  expect(await to(place.row.id, { image: storage().url(moved.file.key) })).toEqual(moved);
  expect((await to(tune.row.id, { audio: sound, name: 'Tune' })).file.key).not.toBe(tune.file.key);
  for (const [id, body, path] of [
    [place.row.id, { audio: sound }, '/audio'],
    [tune.row.id, { image: one }, '/image'],
  ] as const)
    await expect(to(id, body)).rejects.toMatchObject({ code: 'invalid_request', extra: { issues: [{ path }] } });
  await expect(changeReference(await someone(), place.row.id, {})).rejects.toMatchObject({
    code: 'reference_not_found',
  });
  const barred = changeReference({ ...ana, mayCreateCast: false }, place.row.id, { name: 'Pier' });
  await expect(barred).rejects.toMatchObject({ code: 'forbidden' });
  // a file that another process sets meanwhile is expired too
  const spare = await make({ kind: 'pose', image: one });
  const other = await begin();
  await other.query('update cast_references set media_id = $2 where id = $1', [place.row.id, spare.row.mediaId]);
  const replaced = to(place.row.id, { image: three });
  await commitWhenWaitedFor(other);
  await replaced;
  expect((await findMedia(spare.file.key))!.expiresAt).not.toBeNull();
});
