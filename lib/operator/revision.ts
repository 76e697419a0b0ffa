import { hash } from 'node:crypto';
import { AppError } from '#lib/errors';

/** Tells what stands from what stood before. */
export const revisionOf = (value: unknown): string => hash('sha1', JSON.stringify(value), 'base64url');

/** Throws `precondition_failed` where something is another one than was read before it was changed, as far as that is told. */
export function requireSame(what: 'engine' | 'workflow', read: string | undefined, now: string | undefined): void {
  if (read === undefined || read === now) return;
  const message = `Someone else has changed this ${what}. Reload it, and make your change again.`;
  throw new AppError('precondition_failed', message);
}
