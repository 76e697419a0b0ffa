import { AppError } from '#lib/errors';
import { isMediaKey } from '#lib/storage/media-key';
import { typeOfKey, type MediaType } from '#lib/storage/media-types';

export const missing = (key: string): AppError => new AppError('not_found', `There is no file ${key}.`);

export const holdsOtherBytes = (cause?: unknown): AppError =>
  new AppError(
    'precondition_failed',
    'Another file has this address already, and files are written once. Create a new ticket for this one.',
    {},
    { cause },
  );

/** Returns the type for a key's extension; null for an unknown extension or an invalid key. */
export const typeOfMediaKey = (key: string): MediaType | null => (isMediaKey(key) ? typeOfKey(key) : null);

/** Throws for an invalid key, and for a type that is not that of the key's extension. */
export function requireType(key: string, contentType: string): void {
  const type = typeOfMediaKey(key);
  if (!type) throw missing(key);
  if (contentType !== type) throw new Error(`${key} cannot hold ${contentType}`);
}

/** The store is busy, down or full, after all retries. The operation may be tried again later. */
export class StoreAway extends Error {
  override name = 'StoreAway';
  readonly code = 'STORE_AWAY';
}
