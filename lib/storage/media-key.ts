import { randomBytes } from 'node:crypto';
import { MEDIA_TYPES, type MediaType } from '#lib/storage/media-types';

const KEY = /^(?=.{1,200}$)[a-z0-9_-][a-z0-9._-]*(\/[a-z0-9_-][a-z0-9._-]*)*$/;

/** Whether a text can be a storage key: no segment starts with a dot, so none leads out of the store. */
export const isMediaKey = (text: string): boolean => KEY.test(text);

/** A new key that nobody can guess (128 bits): `result/<32 hex digits>.png`. */
export const newMediaKey = (folder: 'result' | 'preview' | 'input' | 'upload' | 'entity', type: MediaType): string =>
  `${folder}/${randomBytes(16).toString('hex')}.${MEDIA_TYPES[type].extension}`;
