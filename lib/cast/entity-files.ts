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

/** A file that a character or reference is made of, as a body names it. */
export interface EntityFile {
  /** Its place in the body. */
  path: string;
  /** https URL, upload URL or data URL. */
  value: string;
  /** Sounds are cut to it. */
  maxSeconds?: number;
}

/** A file that an entity has. */
export interface KeptFile {
  mediaId: string;
  key: string;
  bytes: number;
  /** Pixels; null for a sound. */
  width: number | null;
  height: number | null;
  forms: SmallForms | null;
  /** The copy that others are given while the entity is public. */
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
  /** Characters and references that come to those of the account. */
  adds: 0 | 1;
  /** Others are given copies of their own. */
  isPublic?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Keeps re-encoded copies of the files for as long as the entity lives, and has `write` make its rows. Files first, rows in
 * one transaction; when anything fails, or `signal` says that the client is gone, nothing stays but files whose rows may still come. Throws `quota_exceeded` when the account is full.
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
    // the copies are all that is needed
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

/** Keeps files of an entity a second time, for others, and has `write` make the rows that name them; when that fails, nothing stays. */
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

/** The files of an entity that is deleted: nobody can fetch them any more, and retention removes them once no live request uses them. */
export async function releaseFiles(tx: Tx, mediaIds: (string | null)[]): Promise<void> {
  const ids = mediaIds.filter(id => id !== null);
  await endFiles(tx, ids, LONG_AGO);
}

/** Files with the copies of them. */
export const releaseKept = (tx: Tx, files: KeptFile[]): Promise<void> =>
  releaseFiles(
    tx,
    files.flatMap(({ mediaId, publicMediaId }) => [mediaId, publicMediaId]),
  );

/** For submits that have looked a file up and are about to be accepted with it. */
const UNDER_WAY = sql`now() + interval '15 minutes'`;

/** Whose files they are: the account that saved it, and the handle that its requests mention it by. */
type Entity = Pick<typeof handles.$inferSelect, 'accountId' | 'handle'>;

/**
 * The files that an entity has no longer. A request that used one shows it for as long as its own media live: that is asked of the
 * entity, for which of its files each of a history used only the history can say.
 */
export async function retireFiles(tx: Tx, entity: Entity, mediaIds: string[]): Promise<void> {
  const last = lastMention(entity);
  await endFiles(tx, mediaIds, sql`greatest(${UNDER_WAY}, (${last}) + make_interval(days => ${MEDIA_DAYS}))`);
}

/** When the latest request that mentions it was accepted. */
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

/** The same file once more, at an address of its own. */
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

/** After an outage their rows may be there all the same, or still come: then they stay, and go as orphans when none do. */
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
