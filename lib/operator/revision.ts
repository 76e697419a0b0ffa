import { hash } from 'node:crypto';
import { AppError } from '#lib/errors';

/** Returns a hash that identifies a version of a value. */
export const revisionOf = (value: unknown): string => hash('sha1', JSON.stringify(value), 'base64url');

/** Throws `precondition_failed` when the current revision differs from the one that the caller read, if given. */
export function requireSame(what: 'engine' | 'workflow', read: string | undefined, now: string | undefined): void {
  if (read === undefined || read === now) return;
  const message = `Someone else has changed this ${what}. Reload it, and make your change again.`;
  throw new AppError('precondition_failed', message);
}
