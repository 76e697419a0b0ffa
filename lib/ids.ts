import { randomBytes } from 'node:crypto';
import { v7, validate } from 'uuid';

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns a new UUIDv7, sortable by creation time. Used for requests, characters, references and every other row. */
export const newId = (): string => v7();

/** Returns the lowest UUIDv7 that can be generated at or after a moment. */
export function lowestIdAt(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

export const isUuid = (text: string): boolean => validate(text);

/** Returns an unguessable token of `length` base62 characters (5.95 bits each). */
export function randomToken(length: number): string {
  let token = '';
  while (token.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 = 4 × 62: using bytes from 248 on would favour the first characters
      if (byte < 248 && token.length < length) token += BASE62[byte % 62];
    }
  }
  return token;
}
