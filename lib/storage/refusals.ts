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

/** The type that a key stands for, null for what is no key. */
export const typeOfMediaKey = (key: string): MediaType | null => (isMediaKey(key) ? typeOfKey(key) : null);

/** Refuses what is no key, and to keep another type under one. */
export function requireType(key: string, contentType: string): void {
  const type = typeOfMediaKey(key);
  if (!type) throw missing(key);
  if (contentType !== type) throw new Error(`${key} cannot hold ${contentType}`);
}

/** A store that is busy, out or full, after all tries: what was asked of it may be asked again later. */
export class StoreAway extends Error {
  override name = 'StoreAway';
  readonly code = 'STORE_AWAY';
}
