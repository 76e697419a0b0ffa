import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { inArray, sql, type SQL } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { transactionOf } from '#lib/db/in-turn';
import { media, requestMentions, requests, type handles, type SmallForms } from '#lib/db/schema';
import { newId } from '#lib/ids';
import { endFiles, LONG_AGO } from '#lib/media/end-files';
import type { Errand } from '#lib/media/fair-gate';
import type { MediaRow } from '#lib/media/find-media';
import { MEDIA_DAYS } from '#lib/media/lifetime';
import { normalizeClip, normalizeImage } from '#lib/media/inspect-media';
import { orderForms } from '#lib/media/order-forms';
import { isOutage } from '#lib/outage';
import { requireRoom } from '#lib/quotas';
import { hashFile } from '#lib/storage/hash';
import { newMediaKey } from '#lib/storage/media-key';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import { deleteFiles } from '#lib/storage/delete-files';
import { storage } from '#lib/storage/store';
import { sum } from '#lib/sum';
import { discardInputs } from '#lib/uploads/discard-inputs';
import { errandOf, inField, inOne, type MediaInput } from '#lib/uploads/media-input';
import { resolveMediaInput } from '#lib/uploads/resolve';

/** A file of a character or reference, as given in a request body. */
export interface EntityFile {
  /** JSON pointer to the file in the body. */
  path: string;
  /** An https URL, upload URL or data URL. */
  value: string;
  /** Maximum length of a sound, which is cut to it; undefined for an image. */
  maxSeconds?: number;
}

/** A stored file of an entity. */
export interface KeptFile {
  mediaId: string;
  key: string;
  bytes: number;
  /** Width in pixels, like `height`; null for a sound. */
  width: number | null;
  height: number | null;
  forms: SmallForms | null;
  /** Copy that other accounts use while the entity is public; null while it is private. */
  publicMediaId: string | null;
}

export const keptFile = (
  { id, key, bytes, width, height, forms }: Pick<MediaRow, 'id' | 'key' | 'bytes' | 'width' | 'height' | 'forms'>,
  publicMediaId: string | null,
): KeptFile => ({ mediaId: id, key, bytes, width, height, forms, publicMediaId });

type EntityMedia = Awaited<ReturnType<typeof storeCopy>>;

interface Keeping {
  accountId: string;
  files: EntityFile[];
  /** Number of characters or references added to the account. */
  adds: 0 | 1;
  /** Whether to store copies for other accounts. */
  isPublic?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Stores re-encoded copies of the files, then lets `write` insert the entity's rows in the transaction that inserts
 * theirs. On failure or abort, the files are deleted, except after an outage, when their rows may have been committed.
 * Throws `quota_exceeded` when the account is full.
 */
export async function withEntityFiles<T>(
  { accountId, files, adds, isPublic = false, signal }: Keeping,
  write: (tx: Tx, kept: KeptFile[]) => Promise<T>,
): Promise<T> {
  await requireRoom(accountId, 'LIMIT_CAST', adds);
  const originals: MediaInput[] = [];
  const outcomes = await Promise.allSettled(files.map(file => storeCopy(accountId, file, originals, signal)));
  const stored = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? outcome.value : []));
  const shown: EntityMedia[] = [];
  try {
    // only the re-encoded copies are kept
    await discardInputs(originals);
    const failures = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    if (failures.length) throw inOne(failures, 'invalid_request');
    if (isPublic) for (const original of stored) shown.push(await storeAgain(original));
    return await transactionOf(accountId, async tx => {
      await requireRoom(accountId, 'LIMIT_CAST', adds, tx);
      await insertFiles(tx, accountId, [...stored, ...shown]);
      const kept = stored.map((file, index) => keptFile(file, shown[index]?.id ?? null));
      return write(tx, kept);
    });
  } catch (error) {
    await dropUnowned([...stored, ...shown], error);
    throw error;
  }
}

/** Copies an entity's files for other accounts and lets `write` store the references. Deletes the copies on failure. */
export async function withPublicFiles<T>(
  files: KeptFile[],
  write: (tx: Tx, kept: KeptFile[]) => Promise<T>,
): Promise<T> {
  const ids = files.map(({ mediaId }) => mediaId);
  const originals = await db().select().from(media).where(inArray(media.id, ids));
  const shown: EntityMedia[] = [];
  try {
    for (const id of ids) shown.push(await storeAgain(originals.find(row => row.id === id) as EntityMedia));
    return await db().transaction(async tx => {
      await insertRows(tx, shown);
      return write(
        tx,
        files.map((file, index) => ({ ...file, publicMediaId: shown[index]!.id })),
      );
    });
  } catch (error) {
    await dropUnowned(shown, error);
    throw error;
  }
}

/** Expires files immediately: they cannot be fetched any more, and are deleted once no live request uses them. */
export async function releaseFiles(tx: Tx, mediaIds: (string | null)[]): Promise<void> {
  const ids = mediaIds.filter(id => id !== null);
  await endFiles(tx, ids, LONG_AGO);
}

/** Expires files together with their public copies. */
export const releaseKept = (tx: Tx, files: KeptFile[]): Promise<void> =>
  releaseFiles(
    tx,
    files.flatMap(({ mediaId, publicMediaId }) => [mediaId, publicMediaId]),
  );

/** Grace period for submits that have looked up a file and are not accepted yet. */
const UNDER_WAY = sql`now() + interval '15 minutes'`;

/** Account and handle of an entity, by which requests mention it. */
type Entity = Pick<typeof handles.$inferSelect, 'accountId' | 'handle'>;

/**
 * Expires replaced files of an entity once no request shows them: a request shows the files it used while its own media
 * exist. The last mention of the entity decides, since only the requests themselves record which files they used.
 */
export async function retireFiles(tx: Tx, entity: Entity, mediaIds: string[]): Promise<void> {
  const last = lastMention(entity);
  await endFiles(tx, mediaIds, sql`greatest(${UNDER_WAY}, (${last}) + make_interval(days => ${MEDIA_DAYS}))`);
}

/** SQL for when the latest request that mentions an entity was accepted. */
export const lastMention = ({ accountId, handle }: Entity): SQL => sql`
  select ${requests.createdAt} from ${requestMentions} join ${requests} on ${requests.id} = ${requestMentions.requestId}
  where ${requestMentions.accountId} = ${accountId} and ${requestMentions.handle} = ${handle}
  order by ${requestMentions.requestId} desc limit 1`;

async function insertFiles(tx: Tx, accountId: string, files: EntityMedia[]): Promise<void> {
  if (!files.length) return;
  await requireRoom(accountId, 'LIMIT_STORED_BYTES', sum(files.map(({ bytes }) => bytes)), tx);
  await insertRows(tx, files);
}

async function insertRows(tx: Tx, files: EntityMedia[]): Promise<void> {
  await tx.insert(media).values(files);
  await orderForms(
    tx,
    files.map(({ id }) => id),
  );
}

/** Stores a copy of a file under a new key. */
async function storeAgain(original: EntityMedia): Promise<EntityMedia> {
  const copy = { ...original, forms: null, id: newId(), key: newMediaKey('entity', original.contentType) };
  await storage().withFile(original.key, path => storage().put(copy.key, createReadStream(path), original.contentType));
  return copy;
}

async function storeCopy(
  accountId: string,
  { path, value, maxSeconds }: EntityFile,
  originals: MediaInput[],
  signal?: AbortSignal,
) {
  const field = { path, code: 'invalid_request', signal } as const;
  const kind = maxSeconds === undefined ? 'image' : 'audio';
  const original = await resolveMediaInput(accountId, value, kind, field);
  originals.push(original);
  return inField(field, () =>
    inTemporaryFolder(async folder => {
      const to = join(folder, 'copy');
      const errand = errandOf(accountId, field);
      const facts = await storage().withFile(original.key, from => reencode(from, to, maxSeconds, errand));
      const key = newMediaKey('entity', facts.contentType);
      const sha256 = await hashFile(to);
      const { bytes } = await storage().put(key, createReadStream(to), facts.contentType);
      return { id: newId(), accountId, kind: 'entity', key, ...facts, bytes, sha256, forms: null } as const;
    }),
  );
}

async function reencode(from: string, to: string, maxSeconds: number | undefined, errand: Errand) {
  if (maxSeconds === undefined) {
    const { contentType, width, height } = await normalizeImage(from, to, errand);
    return { contentType, width, height, duration: null };
  }
  const { contentType, duration } = await normalizeClip(from, to, maxSeconds, errand);
  return { contentType, width: null, height: null, duration };
}

/** Deletes copies without a row. After an outage a row may still appear, so they are left to the sweep of orphans. */
async function dropUnowned(copies: EntityMedia[], failure: unknown): Promise<void> {
  if (isOutage(failure)) return;
  const rows = await db()
    .select({ id: media.id })
    .from(media)
    .where(
      inArray(
        media.id,
        copies.map(({ id }) => id),
      ),
    );
  const owned = new Set(rows.map(({ id }) => id));
  await deleteFiles(copies.flatMap(({ id, key }) => (owned.has(id) ? [] : key)));
}
