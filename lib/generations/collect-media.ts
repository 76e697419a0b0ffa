import pMap from 'p-map';
import type { Architecture } from '#lib/catalog/catalog-file';
import type { FieldRole } from '#lib/catalog/file-shape';
import type { RemoteInput, StoredInput } from '#lib/db/schema';
import { AppError, type Issue } from '#lib/errors';
import { pointer } from '#lib/issue';
import type { MediaKind } from '#lib/media-kind';
import { requireKind } from '#lib/media/require-kind';
import { sniffed } from '#lib/media/sniff';
import { storage } from '#lib/storage/store';
import { checkMediaValue, type CheckedMedia } from '#lib/uploads/check-media-value';
import { discardInputs } from '#lib/uploads/discard-inputs';
import { isInspected } from '#lib/uploads/keep-input';
import { inField, inOne, type MediaField, type MediaInput } from '#lib/uploads/media-input';
import { readMediaValue, type MediaValue } from '#lib/uploads/read-media-value';

/** One file that a field of the request names. */
export interface MediaSlot {
  field: string;
  role: StoredInput['role'];
  kind: MediaKind;
  value: string;
  /** Position in a field that takes several files. */
  index?: number;
  /** JSON pointer of the value in the body. */
  path: string;
}

interface CollectedMedia {
  /** Inputs in the order of the slots; remote ones have no file yet. */
  inputs: StoredInput[];
  /** Media fields, with the URLs of stored files in place of the values sent. */
  fields: Record<string, string | string[]>;
  /** Stored files, for `discardInputs` when the request is refused later. */
  files: MediaInput[];
}

/** Media roles, in the order in which engines and `@image1`, `@image2` count the files. */
const ROLES = {
  first_frame: 'first_frame',
  last_frame: 'last_frame',
  reference: 'reference',
  additional_references: 'reference',
  mask: 'mask',
  source_video: 'source_video',
} as const satisfies Partial<Record<FieldRole, StoredInput['role']>>;

/** Files of one request that are checked at a time: with as many requests as may be live, all may wait. */
const AT_ONCE = 2;

/** Returns the files that the fields of a resolved config name. */
export function mediaSlots({ fields, roles }: Architecture, config: Readonly<Record<string, unknown>>): MediaSlot[] {
  return Object.entries(ROLES).flatMap(([fieldRole, role]) => {
    const field = roles[fieldRole as keyof typeof ROLES];
    const value = field === undefined ? undefined : config[field];
    const kind = field === undefined ? undefined : fields[field]?.media;
    return field === undefined || kind === undefined || !value ? [] : slotsOf({ field, role, kind }, value);
  });
}

/** Returns the files that the value of one field names. */
export function slotsOf(slot: Pick<MediaSlot, 'field' | 'role' | 'kind'>, value: unknown): MediaSlot[] {
  if (!Array.isArray(value)) return [{ ...slot, value: String(value), path: pointer(slot.field) }];
  return value.map((item, index) => ({ ...slot, value: String(item), index, path: pointer(slot.field, index) }));
}

/** Returns the issues of the named files that can be found without opening them. */
export async function findMediaIssues(accountId: string, slots: readonly MediaSlot[]): Promise<Issue[]> {
  const issues = await pMap(slots, slot => issuesOf(accountId, slot), { concurrency: AT_ONCE });
  return issues.flat();
}

async function issuesOf(accountId: string, { value, path, kind }: MediaSlot): Promise<Issue[]> {
  try {
    await inField({ path }, async () => {
      const type = typeOf(await readMediaValue(accountId, value));
      if (type !== null) requireKind(type, kind);
    });
    return [];
  } catch (error) {
    if (error instanceof AppError && error.extra.issues) return error.extra.issues;
    throw error;
  }
}

/** Returns a file's type; null when unknown, as for remote files and for uploads not yet decoded. */
function typeOf(found: MediaValue): string | null {
  if ('bytes' in found) return sniffed(found.bytes);
  if ('remote' in found) return null;
  return found.row.kind === 'upload' && !isInspected(found.row) ? null : found.row.contentType;
}

/**
 * Takes the files that need no fetching: those of the account, and data URLs, which are decoded and stored. Remote
 * files remain addresses. Throws `invalid_config` with all issues, in which case no new file is kept.
 */
export async function collectMedia(
  accountId: string,
  slots: readonly MediaSlot[],
  measured: ReadonlyMap<string, NonNullable<RemoteInput['measured']>>,
  field: Pick<MediaField, 'signal' | 'own'>,
): Promise<CollectedMedia> {
  const checked = await pMap(slots, slot => check(accountId, slot, field), { concurrency: AT_ONCE });
  const files = checked.flatMap(found => ('input' in found ? [found.input] : []));
  const failures = checked.flatMap(found => ('failure' in found ? [found.failure] : []));
  if (failures.length || field.signal?.aborted) {
    await discardInputs(files);
    field.signal?.throwIfAborted();
    throw inOne(failures, 'invalid_config');
  }
  const collected: CollectedMedia = { inputs: [], fields: {}, files };
  for (const [at, slot] of slots.entries()) {
    const found = checked[at]!;
    if ('failure' in found) continue;
    const address = 'input' in found ? storage().url(found.input.key) : found.remote;
    const earlier = collected.fields[slot.field];
    if (slot.index === undefined) collected.fields[slot.field] = address;
    else collected.fields[slot.field] = [...(earlier ?? []), address];
    collected.inputs.push(toInput(slot, found, measured.get(slot.path)));
  }
  return collected;
}

/** Checks one file. Returns failures as values, so that the other files are checked too. */
async function check(
  accountId: string,
  { kind, value, path }: MediaSlot,
  field: Pick<MediaField, 'signal' | 'own'>,
): Promise<CheckedMedia | { failure: unknown }> {
  try {
    return await checkMediaValue(accountId, value, kind, { ...field, path });
  } catch (failure) {
    return { failure };
  }
}

function toInput(
  { role, kind, field, index }: MediaSlot,
  found: CheckedMedia,
  measured: RemoteInput['measured'],
): StoredInput {
  if ('input' in found) return { role, mediaId: found.input.mediaId };
  return { role, mediaId: null, remote: { address: found.remote, kind, field, index, measured } };
}
