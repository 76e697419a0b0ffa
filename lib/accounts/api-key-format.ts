import { crc32 } from 'node:zlib';
import { BASE62, randomToken } from '#lib/ids';
import { hashSecret } from '#lib/secrets';

const PREFIX = 'pomona_sk_';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** Generates a key: the prefix, 256 random bits in base62 and a checksum that detects typos without a query. */
export function makeApiKey(): string {
  const body = PREFIX + randomToken(SECRET_LENGTH);
  return body + checksum(body);
}

/** Returns the SHA-256 hash under which a key is stored; null when the text cannot be a key. */
export function parseApiKey(text: string): Buffer | null {
  if (!SHAPE.test(text)) return null;
  if (checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return null;
  return hashSecret(text);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
