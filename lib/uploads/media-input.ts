import { AppError, invalid, type InvalidCode } from '#lib/errors';
import { placeOf } from '#lib/issue';
import type { Errand } from '#lib/media/fair-gate';
import { NO_FILE, UnusableMedia } from '#lib/media/unusable-media';

/** A media field's file: stored, decoded once, and what it says it is. */
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
  /** Null: lives as long as what owns it. */
  expiresAt: Date | null;
  /** Stored by this very call; nobody knows of the file yet. */
  isNew: boolean;
  /** When it would have expired, where it was there and this call made it live longer; else null. */
  before: Date | null;
}

/** The member of a body that names a file. */
export interface MediaField {
  /** JSON pointer, named in the error. */
  path: string;
  /** The refusal's code: `invalid_request` outside of generate. */
  code?: InvalidCode;
  /** Aborted when nobody waits for the file any more; what was begun then rejects with its reason. */
  signal?: AbortSignal | undefined;
  /** Kept as an input of its own: what it is may be deleted before it is used for the last time. */
  own?: boolean | undefined;
  /** A step of a worker: waits its turn, where a client would be refused. */
  patient?: boolean | undefined;
}

/** What is done for a field counts against its account. */
export const errandOf = (account: string, { signal, patient }: MediaField): Errand => ({ account, signal, patient });

/** Runs `work`; what it finds unusable is an `AppError` that names the field. */
export async function inField<T>({ path, code = 'invalid_config' }: MediaField, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) throw error;
    throw invalid(code, [{ path, message: `${placeOf(path)} cannot be used. ${reason}` }], { cause: error });
  }
}

/** What is wrong with the file; its row may be there while the store has lost it. Null for what is no fault of it. */
function reasonOf(error: unknown): string | null {
  if (error instanceof UnusableMedia) return error.message;
  return error instanceof AppError && error.code === 'not_found' ? NO_FILE : null;
}

/** What is wrong with several files, in one; what is no fault of theirs goes before it. */
export function inOne(failures: unknown[], code: NonNullable<MediaField['code']>): unknown {
  const refusals = failures.filter(failure => failure instanceof AppError && failure.code === code) as AppError[];
  if (refusals.length < failures.length) return failures.find(failure => !refusals.includes(failure as AppError));
  return invalid(
    code,
    refusals.flatMap(({ extra }) => extra.issues ?? []),
  );
}
