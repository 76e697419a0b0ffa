import { crc32 } from 'node:zlib';
import { BASE62, randomToken } from '#lib/ids';
import { hashSecret } from '#lib/secrets';

const PREFIX = 'pomona_sk_';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new key: the prefix, 256 random bits in base62 and a checksum that gives typos away without a look-up. */
export function makeApiKey(): string {
  const body = PREFIX + randomToken(SECRET_LENGTH);
  return body + checksum(body);
}

/** The SHA-256 that a key is stored under, or null when the text cannot be a key. */
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
