import { hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { env } from '#lib/env';
import { hasCode } from '#lib/errors';
import { singleton } from '#lib/singleton';
import { cannotWrite, StartError } from '#lib/start-error';

/**
 * Returns a 32-byte key for one purpose, the same in every process of the deployment. It is derived from SECRET_KEY, or
 * from the key that the first start generates under DATA_DIR.
 */
export const secret = (purpose: string): Buffer =>
  singleton(`secret.${purpose}`, () => Buffer.from(hkdfSync('sha256', deploymentKey(), '', purpose, 32)));

const deploymentKey = (): string | Buffer => env().SECRET_KEY ?? readOrMakeSecret(join(env().DATA_DIR, 'secret-key'));

/** Hashes a secret for storage. Fit only for secrets with high entropy, not for passwords. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Whether two texts are equal, compared in constant time. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(hashSecret(one), hashSecret(other));

/** Reads the secret at `path`, creating it (mode 600) if it is missing. Concurrent processes get the same secret. */
export function readOrMakeSecret(path: string): Buffer {
  const existing = readSecret(path);
  if (existing) return existing;
  const draft = writeDraft(path);
  try {
    // linking is atomic and never replaces the file of a faster process
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  const made = readSecret(path);
  if (!made) throw new Error(`the secret ${path} disappeared while it was made`);
  return made;
}

function writeDraft(path: string): string {
  const folder = dirname(path);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
  } catch (cause) {
    throw cannotWrite(folder, cause);
  }
  return draft;
}

function readSecret(path: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw new StartError(`Pomona cannot read ${path}: ${(error as Error).message}. Change its owner.`, {
      cause: error,
    });
  }
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new StartError(`${path} must hold 64 hexadecimal digits; restore it, or delete it to make a new one`);
  return Buffer.from(text, 'hex');
}
