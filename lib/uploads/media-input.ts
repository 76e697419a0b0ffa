import { AppError, invalid, type InvalidCode } from '#lib/errors';
import { placeOf } from '#lib/issue';
import type { Errand } from '#lib/media/fair-gate';
import { NO_FILE, UnusableMedia } from '#lib/media/unusable-media';

/** The file of a media field, stored and verified by decoding. */
export interface MediaInput {
  mediaId: string;
  key: string;
  contentType: string;
  width: number | null;
  height: number | null;
  /** Seconds. */
  duration: number | null;
  bytes: number;
  sha256: Buffer;
  /** Null when the file lives as long as its owner. */
  expiresAt: Date | null;
  /** Whether this call stored the file, so that nothing else refers to it yet. */
  isNew: boolean;
  /** Previous expiry of an existing input whose expiry this call extended; else null. */
  before: Date | null;
}

/** The member of a body that names a file, and how its value is handled. */
export interface MediaField {
  /** JSON pointer of the member, named in errors. */
  path: string;
  /** Error code of refusals; by default `invalid_config`, and `invalid_request` outside of generate. */
  code?: InvalidCode;
  /** Aborted when the file is no longer needed; work in progress then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Whether to copy the file to an input of its own, because the original may be deleted before its last use. */
  own?: boolean | undefined;
  /** Whether to wait for a turn in a full queue, as workers do, instead of being refused, as clients are. */
  patient?: boolean | undefined;
}

/** Attributes the work for a field to its account. */
export const errandOf = (account: string, { signal, patient }: MediaField): Errand => ({ account, signal, patient });

/** Runs `work`, and converts errors about an unusable file to an `AppError` that names the field. */
export async function inField<T>({ path, code = 'invalid_config' }: MediaField, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) throw error;
    throw invalid(code, [{ path, message: `${placeOf(path)} cannot be used. ${reason}` }], { cause: error });
  }
}

/** Returns what is wrong with the file, including one that the store has lost; null for an error of another cause. */
function reasonOf(error: unknown): string | null {
  if (error instanceof UnusableMedia) return error.message;
  return error instanceof AppError && error.code === 'not_found' ? NO_FILE : null;
}

/** Merges the refusals of several files into one error; an error of another cause takes precedence. */
export function inOne(failures: unknown[], code: NonNullable<MediaField['code']>): unknown {
  const refusals = failures.filter(failure => failure instanceof AppError && failure.code === code) as AppError[];
  if (refusals.length < failures.length) return failures.find(failure => !refusals.includes(failure as AppError));
  return invalid(
    code,
    refusals.flatMap(({ extra }) => extra.issues ?? []),
  );
}
