import type { Architecture, FieldRole } from '#lib/catalog/catalog-file';
import { pointer } from '#lib/issue';
import type { StoredInput } from '#lib/db/schema';
import { AppError, type Issue } from '#lib/errors';
import type { MediaKind } from '#lib/storage/media-types';
import { storage } from '#lib/storage/store';
import type { MediaInput } from '#lib/uploads/media-input';
import { resolveMediaInput } from '#lib/uploads/resolve';

/** One file that a field of the request asks for. */
export interface MediaSlot {
  field: string;
  role: StoredInput['role'];
  kind: MediaKind;
  value: string;
  /** JSON pointer. */
  path: string;
}

export interface CollectedMedia {
  inputs: StoredInput[];
  /** Fields with the addresses of the stored files in place of what was sent. */
  fields: Record<string, string | string[]>;
  sourceVideos: { duration: number; width: number; height: number }[];
  issues: Issue[];
}

/** In the order that engines and `@image1`, `@image2` count them. */
const ROLES = {
  first_frame: 'first_frame',
  last_frame: 'last_frame',
  reference: 'reference',
  additional_references: 'reference',
  source_video: 'source_video',
} as const satisfies Partial<Record<FieldRole, StoredInput['role']>>;

/** Fetches and decodings of one request at a time. */
const AT_ONCE = 4;
/** All fetches of one request together: its client waits. */
const SECONDS = 75;

/** The files that the fields of a resolved config ask for. */
export function mediaSlots({ fields, roles }: Architecture, config: Readonly<Record<string, unknown>>): MediaSlot[] {
  return Object.entries(ROLES).flatMap(([fieldRole, role]) => {
    const field = roles[fieldRole as keyof typeof ROLES];
    const value = field === undefined ? undefined : config[field];
    const kind = field === undefined ? undefined : fields[field]?.media;
    if (field === undefined || kind === undefined || !value) return [];
    const slot = { field, role, kind };
    if (!Array.isArray(value)) return [{ ...slot, value: String(value), path: pointer(field) }];
    return value.map((item, index) => ({ ...slot, value: String(item), path: `${pointer(field)}/${index}` }));
  });
}

/** Brings the files in: fetched, decoded and stored, each problem under the pointer of its field. */
export async function collectMedia(accountId: string, slots: MediaSlot[]): Promise<CollectedMedia> {
  const collected: CollectedMedia = { inputs: [], fields: {}, sourceVideos: [], issues: [] };
  const signal = AbortSignal.timeout(SECONDS * 1000);
  const files = await inParallel(slots, slot => bringIn(accountId, slot, signal));
  for (const [index, { field, role, path }] of slots.entries()) {
    const file = files[index]!;
    if (file instanceof AppError) {
      collected.issues.push(...(file.extra.issues ?? [{ path, message: file.message }]));
      continue;
    }
    const { mediaId, key, duration, width, height } = file;
    collected.inputs.push({ role, mediaId });
    const url = storage().url(key);
    if (path === pointer(field)) collected.fields[field] = url;
    else collected.fields[field] = [...(collected.fields[field] ?? []), url];
    if (role === 'source_video')
      collected.sourceVideos.push({ duration: duration ?? 0, width: width ?? 0, height: height ?? 0 });
  }
  return collected;
}

/** A refusal is a value here, so that the other files are looked at too. */
async function bringIn(
  accountId: string,
  { kind, value, path }: MediaSlot,
  signal: AbortSignal,
): Promise<MediaInput | AppError> {
  try {
    return await resolveMediaInput(accountId, value, kind, { path, signal });
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_config') return error;
    if (!signal.aborted) throw error;
    const message = `fetching the media of this request took over ${SECONDS} s; send them through POST /v1/uploads`;
    return new AppError('invalid_config', message, { issues: [{ path, message }] }, { cause: error });
  }
}

/** The results in the order of the items, a few at a time. */
async function inParallel<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const drain = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, drain));
  return results;
}
