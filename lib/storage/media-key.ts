import { randomBytes } from 'node:crypto';
import { MEDIA_TYPES, type MediaType } from '#lib/storage/media-types';

const KEY = /^(?=.{1,200}$)[a-z0-9_-][a-z0-9._-]*(\/[a-z0-9_-][a-z0-9._-]*)*$/;

/** Whether a text can be a storage key. No segment may start with a dot, so no key leads out of the store. */
export const isMediaKey = (text: string): boolean => KEY.test(text);

const FOLDERS = ['result', 'preview', 'input', 'upload', 'entity'] as const;
const EXTENSIONS = Object.values(MEDIA_TYPES).map(({ extension }) => extension);
const NEW_KEY = new RegExp(`^(${FOLDERS.join('|')})/[0-9a-f]{32}\\.(${EXTENSIONS.join('|')})$`);

/** Makes a new, unguessable key (128 random bits), such as `result/<32 hex digits>.png`. */
export const newMediaKey = (folder: (typeof FOLDERS)[number], type: MediaType): string =>
  `${folder}/${randomBytes(16).toString('hex')}.${MEDIA_TYPES[type].extension}`;

/** Whether a key has the form of `newMediaKey`. Other objects in a store do not belong to Pomona. */
export const isNewMediaKey = (key: string): boolean => NEW_KEY.test(key);
