import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, eq, isNull } from 'drizzle-orm';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { checkLedger } from '#lib/ledger-check/check-ledger';
import { changeCharacter } from '#lib/cast/change-character';
import { createCharacter, deleteCharacter, getCharacter } from '#lib/cast/characters';
import { setVisibility } from '#lib/cast/publish';
import { createReference, getReference } from '#lib/cast/references';
import { characterToWire, referenceToWire } from '#lib/cast/to-wire';
import { character, newCharacter, newReference, reference, upload } from '#lib/contract/cast-schemas';
import { db, pool } from '#lib/db/client';
import { media } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { deleteAccount } from '#lib/generations/delete-account';
import { newId } from '#lib/ids';
import { DecoderKilled } from '#lib/media/decoder';
import { isLive } from '#lib/media/find-media';
import { makeInterlacedPng } from '#lib/media/hostile-test-media';
import { withDecodersKilled } from '#lib/media/test-decoders';
import { dataUrl, makeAv, makeImage, makeWav } from '#lib/media/media-test-files';
import { orderMissingForms } from '#lib/media/order-forms';
import { expireMedia } from '#lib/retention/expire-media';
import { StoreAway } from '#lib/storage/refusals';
import { storage } from '#lib/storage/store';
import { refusePuts } from '#lib/storage/test-outage';
import { completeUpload } from '#lib/uploads/complete-upload';
import { keyOfUrl } from '#lib/uploads/key-of-url';
import { createUploadTicket } from '#lib/uploads/upload-ticket';
import type { DeclaredType } from '#lib/contract/upload-types';
import { deleteUpload, listUploads } from '#lib/uploads/uploads';
import { makeForms } from '#lib/worker/make-forms';
import { startOutbox } from '#lib/worker/outbox';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-forms-'));
process.env.LOG_LEVEL = 'silent';

const FOREVER = new AbortController().signal;
const portrait = dataUrl(await makeImage(600, 900).jpeg().toBuffer());
const other = dataUrl(await makeImage(80, 60).png().toBuffer());
const ana = () =>
  newCharacter.parse({ name: 'Ana', image: portrait, additional_images: [other], voice: dataUrl(makeWav(2)) });

let accountId: string;
let creator: { accountId: string; mayCreateCast: true };
beforeEach(async () => {
  accountId = (await createAccount({ email: `${newId()}@example.com` })).id;
  creator = { accountId, mayCreateCast: true };
});
afterEach(() => pool().query('delete from outbox'));

async function bring(bytes: Uint8Array, type: DeclaredType = 'image/png') {
  const { id, url } = await createUploadTicket(accountId, type);
  const key = keyOfUrl(url)!;
  await completeUpload(key, await storage().put(key, bytes, type));
  return id;
}

async function shown(id: string) {
  const wire = (await listUploads(accountId, { limit: 50 })).data.find(row => row.id === id)!;
  expect(upload.parse(wire)).toEqual(wire);
  return wire;
}

const rowsOf = (kind: 'preview' | 'upload' | 'entity') =>
  db()
    .select()
    .from(media)
    .where(and(eq(media.accountId, accountId), eq(media.kind, kind)));
const widths = (file: { renditions?: { width: number }[] | undefined }) => file.renditions?.map(({ width }) => width);
const owed = async () => (await pool().query(`select from outbox where consumer = 'forms'`)).rowCount;

/** Runs the outbox until no forms are owed. */
async function workOff(): Promise<void> {
  const outbox = startOutbox(() => undefined);
  await expect.poll(owed).toBe(0);
  await outbox.stop();
}

async function files(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage().list('preview/')) keys.push(key);
  return keys;
}

test('uploads get renditions or peaks according to their content, whatever type they were declared as', async () => {
  const picture = await bring(await makeImage(1200, 800).jpeg().toBuffer());
  const film = await bring(await makeAv('webm'), 'video/webm');
  const sound = await bring(makeWav(1), 'video/mp4');
  expect(await shown(picture)).not.toHaveProperty('renditions');
  await workOff();
  expect(widths(await shown(picture))).toEqual([480, 1024, 1200]);
  const { preview_url, renditions } = await shown(film);
  expect(renditions?.map(({ content_type }) => content_type)).toEqual(['image/webp', 'video/mp4']);
  expect(preview_url).toBe(renditions![0]!.url);
  expect(await shown(sound)).toMatchObject({ peaks: expect.arrayContaining([100]) });
  expect((await checkLedger({ storage: storage() })).filter(({ ok }) => !ok)).toEqual([]);
});

test('portraits, additional images, public copies and references get renditions', async () => {
  const { row } = await createCharacter(creator, ana());
  await workOff();
  await setVisibility(accountId, row.id, 'public');
  const place = await createReference(
    creator,
    newReference.parse({ name: 'Old harbour', kind: 'location', image: other }),
  );
  await workOff();
  const wire = characterToWire(await getCharacter(accountId, row.id));
  expect(character.parse(wire)).toEqual(wire);
  expect(wire.pictures).toMatchObject([
    { url: wire.image_url, width: 600, height: 900 },
    { width: 80, height: 60 },
  ]);
  expect(wire.pictures.map(widths)).toEqual([[320, 600], [80]]);
  const saved = referenceToWire(await getReference(accountId, place.row.id));
  expect(reference.parse(saved)).toEqual(saved);
  expect(widths(saved.picture!)).toEqual([80]);
  const entities = await rowsOf('entity');
  expect(entities).toHaveLength(7);
  expect(entities.filter(({ forms }) => forms?.peaks)).toHaveLength(2);
  const keys = entities.flatMap(({ forms }) => forms?.renditions?.map(({ key }) => key) ?? []);
  // each copy has its own renditions, which are deleted with it
  expect([keys.length, new Set(keys).size]).toEqual([7, 7]);
});

test('renditions expire with their file, and are then deleted from the store', async () => {
  const id = await bring(await makeImage(64, 64).png().toBuffer());
  const { row, pictures } = await createCharacter(creator, ana());
  await setVisibility(accountId, row.id, 'public');
  await workOff();
  const before = await files();
  const changed = await changeCharacter(creator, row.id, { additional_images: [] });
  expect(changed.pictures).toHaveLength(1);
  const ending = () =>
    db()
      .select()
      .from(media)
      .where(and(eq(media.accountId, accountId), eq(media.kind, 'preview'), isNull(media.expiresAt)));
  // two of the portrait and two of its copy; those of the upload expire with it
  expect(await ending()).toHaveLength(4);
  await setVisibility(accountId, row.id, 'private');
  expect(await ending()).toHaveLength(2);
  await deleteCharacter(accountId, row.id);
  await deleteUpload(accountId, id);
  expect((await rowsOf('preview')).filter(form => isLive(form)).map(({ width }) => width)).toEqual([80]);
  await expireMedia(new Date(Date.now() + 3_600_000));
  expect((await files()).length).toBe(before.length - 7);
  expect(pictures).toHaveLength(2);
});

test('renditions are not kept if their file is deleted meanwhile or if they were made twice', async () => {
  const before = (await files()).length;
  const id = await bring(makeInterlacedPng(1_000));
  const [file] = await rowsOf('upload');
  const making = makeForms(file!.id, FOREVER);
  await deleteUpload(accountId, id);
  await making;
  expect([await rowsOf('preview'), (await files()).length]).toEqual([[], before]);

  await bring(await makeImage(64, 64).png().toBuffer());
  const young = (await rowsOf('upload')).find(row => isLive(row))!;
  await Promise.all([makeForms(young.id, FOREVER), makeForms(young.id, FOREVER)]);
  expect((await files()).length).toBe(before + 1);
});

test('a file that cannot be decoded is marked, and is neither retried nor ordered again', async () => {
  const none = await bring(new Uint8Array(5));
  const half = await bring((await makeImage(300, 300).png().toBuffer()).subarray(0, 9_000));
  await workOff();
  for (const id of [none, half]) expect(await shown(id)).toMatchObject({ renditions: [] });
  await orderMissingForms();
  expect(await owed()).toBe(0);
});

test('missing renditions of existing files are ordered once, those of the newest file first', async () => {
  const old = await bring(await makeImage(64, 64).png().toBuffer());
  const young = await bring(await makeImage(64, 64).png().toBuffer());
  await pool().query('delete from outbox');
  await orderMissingForms();
  await orderMissingForms();
  const { rows } = await pool().query(
    `select u.id, o.due_at > now() as later from outbox o join uploads u on u.media_id = o.request_id order by due_at`,
  );
  expect(rows).toEqual([
    { id: young, later: true },
    { id: old, later: true },
  ]);
});

test.skipIf(process.platform !== 'linux')(
  'a killed decoder costs an attempt, and a file without attempts left is given up',
  async () => {
    const before = (await files()).length;
    const id = await bring(makeInterlacedPng(3_000));
    const [file] = await rowsOf('upload');
    await expect(withDecodersKilled(makeForms(file!.id, FOREVER))).rejects.toBeInstanceOf(DecoderKilled);
    expect([(await shown(id)).renditions, (await files()).length]).toEqual([undefined, before]);
    await pool().query('update outbox set attempts = 9');
    await withDecodersKilled(workOff());
    expect(await shown(id)).toMatchObject({ renditions: [] });
  },
);

test('a store outage uses up no attempts', async () => {
  const id = await bring(await makeImage(64, 64).png().toBuffer());
  await pool().query('update outbox set attempts = 50');
  const full = refusePuts(new StoreAway('no space left on device'));
  onTestFinished(() => full.mockRestore());
  const tryOnce = async () => {
    const { promise, resolve: done } = Promise.withResolvers<void>();
    const outbox = startOutbox(done);
    await promise;
    await outbox.stop();
  };
  await tryOnce();
  expect(full).toHaveBeenCalled();
  expect([await shown(id), await owed()]).toEqual([expect.not.objectContaining({ renditions: [] }), 1]);
  // a single other error does not end it either
  refusePuts(new Error('odd'));
  await pool().query('update outbox set due_at = default');
  await tryOnce();
  expect(await owed()).toBe(1);
  full.mockRestore();
  await pool().query('update outbox set due_at = default');
  await workOff();
  expect(widths(await shown(id))).toEqual([64]);
});

test('a stopping worker records no renditions, which leaves the file to the next worker', async () => {
  const id = await bring(makeInterlacedPng(3_000));
  const [file] = await rowsOf('upload');
  await expect(makeForms(file!.id, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  expect(await shown(id)).not.toHaveProperty('renditions');
});

test('renditions are deleted with their account', async () => {
  const before = (await files()).length;
  await bring(await makeImage(64, 64).png().toBuffer());
  await workOff();
  expect((await files()).length).toBe(before + 1);
  const [account] = (await pool().query('select * from accounts where id = $1', [accountId])).rows;
  await deleteAccount(account, account.email);
  expect((await files()).length).toBe(before);
});
