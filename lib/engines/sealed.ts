import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { secretVariable } from '#lib/env';
import type { Secret } from '#lib/engines/engines-file';
import { secret } from '#lib/secrets';

const CIPHER = 'aes-256-gcm';
const [IV, TAG] = [12, 16];

/** Encrypts a secret with the deployment's key, so that a file or the database may hold it. */
export function seal(text: string): string {
  const iv = randomBytes(IV);
  const cipher = createCipheriv(CIPHER, secret('engines'), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Returns the plain secret. Throws when another deployment sealed it, or when its environment variable is not set. */
export function unseal(where: Secret): string {
  if ('env' in where) {
    const value = secretVariable(where.env);
    if (!value) throw new Error(`the environment variable ${where.env} is not set in this process`);
    return value;
  }
  const bytes = Buffer.from(where.sealed, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, secret('engines'), bytes.subarray(0, IV));
    decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
    return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new Error('the sealed secret was sealed by another deployment; set it again', { cause });
  }
}
