import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, inArray } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createCharacter, deleteCharacter, getCharacter, listCharacters } from '#lib/cast/characters';
import { copyPublished, setVisibility } from '#lib/cast/publish';
import { findMentionable } from '#lib/cast/find-mentionable';
import { createReference, deleteReference, getReference, listReferences } from '#lib/cast/references';
import { characterToWire, referenceToWire } from '#lib/cast/to-wire';
import { character, newCharacter, newReference, reference, referenceKind } from '#lib/contract/cast-schemas';
import { db, pool } from '#lib/db/client';
import { commitLate } from '#lib/db/late-test-commit';
import { accounts, characters, handles, media } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { newId } from '#lib/ids';
import { findMedia, isLive } from '#lib/media/find-media';
import { inspectMedia } from '#lib/media/inspect-media';
import { dataUrl, makeImage, makeWav } from '#lib/media/media-test-files';
import { storage } from '#lib/storage/store';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-cast-'));
process.env.LOG_LEVEL = 'silent';

const portrait = dataUrl(
  await makeImage(96, 128)
    .jpeg()
    .withExif({ IFD0: { Artist: 'me' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
    .toBuffer(),
);
const picture = dataUrl(await makeImage(80, 60).png().toBuffer());
const sound = dataUrl(makeWav(17, { hertz: 440 }));

const someone = async () => ({
  accountId: (await createAccount({ email: `${newId()}@example.com` })).id,
  mayCreateCast: true,
});
const ana = (handle?: string) => newCharacter.parse({ name: 'Ana', handle, image: portrait, voice: sound });
const harbour = (handle?: string) => newReference.parse({ name: 'Harbour', kind: 'location', handle, image: picture });

async function entityFiles(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage().list('entity/')) keys.push(key);
  return keys.toSorted();
}

test('a character keeps a portrait without metadata and ten seconds of voice, which do not expire', async () => {
  const creator = await someone();
  const created = await createCharacter(creator, ana('ana'));
  const wire = characterToWire(created);
  expect(character.parse(wire)).toEqual(wire);
  expect(wire).toMatchObject({ handle: 'ana', name: 'Ana', description: null, visibility: 'private' });
  expect(await getCharacter(creator.accountId, wire.id)).toEqual(created);

  const image = await findMedia(created.pictures[0].key);
  expect(image).toMatchObject({ kind: 'entity', contentType: 'image/jpeg', width: 96, height: 128, expiresAt: null });
  const { exif, xmp } = await storage().withFile(created.pictures[0].key, path => sharp(path).metadata());
  expect([exif, xmp]).toEqual([undefined, undefined]);
  const voice = await findMedia(created.voice!.key);
  expect(voice).toMatchObject({ kind: 'entity', contentType: 'audio/mpeg', expiresAt: null, duration: 10 });
  const heard = await storage().withFile(created.voice!.key, inspectMedia);
  expect(heard.duration).toBeCloseTo(10, 0);
});

test('creating a character keeps only its own copies of the files, and nothing if the client disconnects', async () => {
  const creator = await someone();
  const kinds = async () =>
    (await db().select().from(media).where(eq(media.accountId, creator.accountId))).map(row => row.kind);
  const before = await entityFiles();
  const gone = createCharacter(creator, ana(), AbortSignal.abort(new Error('gone')));
  await expect(gone).rejects.toThrow('gone');
  const leave = new AbortController();
  const leaving = createCharacter(creator, ana(), leave.signal);
  leave.abort(new Error('left'));
  await expect(leaving).rejects.toThrow('left');
  expect([await kinds(), await entityFiles()]).toEqual([[], before]);
  await createCharacter(creator, ana());
  expect(await kinds()).toEqual(['entity', 'entity']);
  await createCharacter(creator, { ...ana(), additional_images: [portrait, portrait] });
  expect(await kinds()).toEqual(Array.from({ length: 6 }, () => 'entity'));
});

test('a reference of kind audio needs a sound, cut to fifteen seconds; every other kind needs an image', async () => {
  const creator = await someone();
  const tune = await createReference(
    creator,
    newReference.parse({ name: 'Tune', kind: 'audio', audio: sound, description: 'hummed' }),
  );
  const wire = referenceToWire(tune);
  expect(reference.parse(wire)).toEqual(wire);
  expect(wire).toMatchObject({ kind: 'audio', image_url: null, description: 'hummed' });
  expect(wire.handle).toMatch(/^tune-[a-z0-9]{3}$/);
  expect(await findMedia(tune.file.key)).toMatchObject({ duration: 15 });
  const place = await createReference(creator, harbour());
  expect(referenceToWire(place)).toMatchObject({ kind: 'location', audio_url: null });
  expect(await getReference(creator.accountId, place.row.id)).toEqual(place);
  for (const kind of referenceKind.options) {
    const { error } = newReference.safeParse({ name: 'x', kind });
    expect(error?.issues.map(({ path }) => path)).toEqual([[kind === 'audio' ? 'audio' : 'image']]);
  }
});

test('a handle is unique across characters and references, and free once its owner is deleted', async () => {
  const creator = await someone();
  const { row } = await createCharacter(creator, ana('shared'));
  const taken = { code: 'handle_taken', extra: { handle: 'shared' } };
  await expect(createReference(await someone(), harbour('shared'))).rejects.toMatchObject(taken);
  await deleteCharacter(creator.accountId, row.id);
  const place = await createReference(creator, harbour('shared'));
  await expect(createCharacter(creator, ana('shared'))).rejects.toMatchObject(taken);
  await deleteReference(creator.accountId, place.row.id);
  expect(await db().select().from(handles).where(eq(handles.handle, 'shared'))).toEqual([]);
});

test('only one of several concurrent creations with one handle succeeds; the others leave neither file nor row', async () => {
  const creator = await someone();
  const before = await entityFiles();
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => createReference(creator, harbour('race'))));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await entityFiles()).toHaveLength(before.length + 1);
  expect((await listReferences(creator.accountId, { limit: 50 })).data).toHaveLength(1);
});

test('unusable files are reported together, and nothing is stored', async () => {
  const creator = await someone();
  const before = await entityFiles();
  const input = newCharacter.parse({ name: 'Ana', handle: 'bad', image: sound, voice: picture });
  await expect(createCharacter(creator, input)).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { issues: [{ path: '/image' }, { path: '/voice' }] },
  });
  const silent = newReference.parse({ name: 'x', kind: 'audio', audio: dataUrl(makeWav(1, { level: 0 })) });
  await expect(createReference(creator, silent)).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { issues: [{ path: '/audio', message: expect.stringContaining('silent') }] },
  });
  // the portrait is valid, but the character is not created
  const half = newCharacter.parse({ name: 'Ana', handle: 'bad', image: portrait, voice: picture });
  await expect(createCharacter(creator, half)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await entityFiles()).toEqual(before);
  expect(await db().select().from(handles).where(eq(handles.handle, 'bad'))).toEqual([]);
});

test('copies of a published character exist if its rows are committed after the query timed out', async () => {
  const creator = await someone();
  const { row } = await createCharacter(creator, ana());
  const before = await entityFiles();
  const land = commitLate();
  await expect(setVisibility(creator.accountId, row.id, 'public')).rejects.toThrow('Query read timeout');
  await land();
  expect(await getCharacter(creator.accountId, row.id)).toMatchObject({ row: { visibility: 'public' } });
  expect(await entityFiles()).toHaveLength(before.length + 2);
});

test('an account without permission cannot create characters or references, but can read and delete them', async () => {
  const creator = await someone();
  const { row, file } = await createReference(creator, harbour());
  const barred = { ...creator, mayCreateCast: false };
  await expect(createReference(barred, harbour())).rejects.toMatchObject({ code: 'forbidden' });
  await expect(createCharacter(barred, ana())).rejects.toMatchObject({ code: 'forbidden' });
  expect((await listReferences(creator.accountId, { limit: 1 })).data).toHaveLength(1);
  await deleteReference(creator.accountId, row.id);
  expect(isLive((await findMedia(file.key))!)).toBe(false);
});

test('pages are newest first and stable while new references are created', async () => {
  const creator = await someone();
  const made: string[] = [];
  const make = async () => void made.unshift((await createReference(creator, harbour())).row.id);
  for (let i = 0; i < 4; i++) await make();
  const first = await listReferences(creator.accountId, { limit: 2 });
  await make();
  const second = await listReferences(creator.accountId, { limit: 2, cursor: first.nextCursor ?? undefined });
  expect([...first.data, ...second.data].map(({ row }) => row.id)).toEqual(made.slice(1));
  expect(second.nextCursor).toBeNull();
  await expect(listCharacters(creator.accountId, { limit: 2, cursor: 'x' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

test('characters and references of another account, and unknown or invalid ids, are not found', async () => {
  const owner = await someone();
  const { accountId: stranger } = await someone();
  const { row } = await createCharacter(owner, ana());
  await setVisibility(owner.accountId, row.id, 'public');
  const place = await createReference(owner, harbour());
  const lost = { code: 'character_not_found' };
  for (const id of [row.id, newId(), 'no-id', '']) {
    await expect(getCharacter(stranger, id)).rejects.toMatchObject(lost);
    await expect(deleteCharacter(stranger, id)).rejects.toMatchObject(lost);
    await expect(setVisibility(stranger, id, 'private')).rejects.toMatchObject(lost);
  }
  for (const id of [place.row.id, newId(), 'no-id', '']) {
    await expect(getReference(stranger, id)).rejects.toMatchObject({ code: 'reference_not_found' });
    await expect(deleteReference(stranger, id)).rejects.toMatchObject({ code: 'reference_not_found' });
  }
  expect(await getCharacter(owner.accountId, row.id)).toMatchObject({ row: { visibility: 'public' } });
  expect((await listCharacters(stranger, { limit: 5 })).data).toEqual([]);
});

test('a deleted character disappears immediately, while its files stay in storage until retention removes them', async () => {
  const { accountId, mayCreateCast } = await someone();
  const { row, pictures } = await createCharacter({ accountId, mayCreateCast }, ana());
  await deleteCharacter(accountId, row.id);
  await expect(deleteCharacter(accountId, row.id)).rejects.toMatchObject({ code: 'character_not_found' });
  const files = await db()
    .select()
    .from(media)
    .where(inArray(media.id, [row.imageId, row.voiceId!]));
  expect(files.map(file => isLive(file))).toEqual([false, false]);
  expect(files.map(file => file.deletedAt)).toEqual([null, null]);
  expect((await storage().withFile(pictures[0].key, path => readFile(path))).length).toBeGreaterThan(0);
});

test('a handle resolves to own characters and references, and to public characters of others', async () => {
  const owner = await someone();
  const { accountId: stranger } = await someone();
  const { row } = await createCharacter(owner, ana('cara'));
  const place = await createReference(owner, harbour('quay'));
  const hum = newReference.parse({ name: 'Hum', kind: 'audio', handle: 'hum', audio: sound });
  const { row: tune } = await createReference(owner, hum);
  const names = ['cara', 'quay', 'hum', 'nobody'];
  const own = await findMentionable(owner.accountId, names);
  expect([...own.values()]).toEqual(
    expect.arrayContaining([
      { handle: 'cara', id: row.id, isOwn: true, kind: 'character', imageIds: [row.imageId], soundId: row.voiceId },
      { handle: 'quay', id: place.row.id, isOwn: true, kind: 'location', imageIds: [place.row.mediaId], soundId: null },
      { handle: 'hum', id: tune.id, isOwn: true, kind: 'audio', imageIds: [], soundId: tune.mediaId },
    ]),
  );
  expect(own.size).toBe(3);
  expect(await findMentionable(stranger, names)).toEqual(new Map());
  await setVisibility(owner.accountId, row.id, 'public');
  expect([...(await findMentionable(stranger, names)).keys()]).toEqual(['cara']);
  await setVisibility(owner.accountId, row.id, 'private');
  expect(await findMentionable(stranger, names)).toEqual(new Map());
});

test('concurrent look-ups of handles share a query, and each account gets its own result', async () => {
  const [one, other] = [await someone(), await someone()];
  const { row } = await createCharacter(one, ana('dora'));
  const place = await createReference(other, harbour('pier'));
  const query = vi.spyOn(pool(), 'query');
  const asked = Array.from({ length: 30 }, () =>
    [one, other].map(({ accountId }) => findMentionable(accountId, ['dora', 'pier'])),
  );
  for (const [first, second] of await Promise.all(asked.map(both => Promise.all(both)))) {
    expect([...first!.values()]).toMatchObject([{ handle: 'dora', id: row.id }]);
    expect([...second!.values()]).toMatchObject([{ handle: 'pier', id: place.row.id }]);
  }
  expect(query).toHaveBeenCalledOnce();
});

test('other accounts get copies of a public character, which end when it is unpublished or deleted', async () => {
  const owner = await someone();
  const { accountId: stranger } = await someone();
  const { row } = await createCharacter(owner, ana('open'));
  const filesFor = async (accountId: string) => {
    const { imageIds, soundId } = (await findMentionable(accountId, ['open'])).get('open')!;
    return db()
      .select()
      .from(media)
      .where(inArray(media.id, [...imageIds, soundId!]));
  };
  const bytesOf = (files: { key: string }[]) =>
    Promise.all(files.map(({ key }) => storage().withFile(key, path => readFile(path))));
  // concurrent calls that publish the character copy its files once
  const stored = vi.spyOn(storage(), 'put');
  await Promise.all([1, 2, 3, 4].map(() => setVisibility(owner.accountId, row.id, 'public')));
  expect(stored).toHaveBeenCalledTimes(2);
  stored.mockRestore();
  const [own, copies] = [await filesFor(owner.accountId), await filesFor(stranger)];
  expect(own.map(({ id }) => id).toSorted()).toEqual([row.imageId, row.voiceId].toSorted());
  expect(copies).toHaveLength(2);
  expect(copies.map(({ key }) => key)).not.toEqual(expect.arrayContaining([own[0]!.key]));
  expect((await bytesOf(copies)).map(bytes => bytes.length).toSorted()).toEqual(
    (await bytesOf(own)).map(bytes => bytes.length).toSorted(),
  );
  const areLive = async (files: { key: string }[]) =>
    Promise.all(files.map(async ({ key }) => isLive((await findMedia(key))!)));
  expect(await areLive(copies)).toEqual([true, true]);
  await setVisibility(owner.accountId, row.id, 'private');
  expect(await areLive(copies)).toEqual([false, false]);
  expect(await areLive(own)).toEqual([true, true]);
  await setVisibility(owner.accountId, row.id, 'public');
  const again = await filesFor(stranger);
  await deleteCharacter(owner.accountId, row.id);
  expect(await areLive([...again, ...own])).toEqual([false, false, false, false]);
  const kept = await db().select().from(media).where(eq(media.accountId, owner.accountId));
  expect(kept.filter(row => isLive(row))).toEqual([]);
});

test('characters that were published before copies existed get their copies', async () => {
  const owner = await someone();
  const [{ row: lost, pictures }, { row }] = [
    await createCharacter(owner, ana('lost')),
    await createCharacter(owner, ana('early')),
  ];
  await storage().delete(pictures[0].key);
  await db()
    .update(characters)
    .set({ visibility: 'public' })
    .where(inArray(characters.id, [lost.id, row.id]));
  // a character whose file is lost does not block the others
  expect(await copyPublished()).toBe(2);
  const given = (await findMentionable((await someone()).accountId, ['early'])).get('early')!;
  expect([row.imageId, row.voiceId]).not.toContain(given.imageIds[0]);
  expect([row.imageId, row.voiceId]).not.toContain(given.soundId);
  const { key } = (await db().select().from(media).where(eq(media.id, given.imageIds[0]!)))[0]!;
  expect((await storage().withFile(key, path => readFile(path))).length).toBeGreaterThan(0);
  await deleteCharacter(owner.accountId, lost.id);
  expect(await copyPublished()).toBe(0);
});

test('the handles of a deleted account are free', async () => {
  const { accountId, mayCreateCast } = await someone();
  await createReference({ accountId, mayCreateCast }, harbour('left'));
  await createCharacter({ accountId, mayCreateCast }, ana('gone'));
  await db().delete(accounts).where(eq(accounts.id, accountId));
  expect(
    await db()
      .select()
      .from(handles)
      .where(inArray(handles.handle, ['left', 'gone'])),
  ).toEqual([]);
});
