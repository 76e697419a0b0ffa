import type { Generation } from '#lib/life/generation';

/** Whether there is a result that can be looked at. */
export const isShown = ({ result, removedAt }: Generation): boolean =>
  result !== null && removedAt === null && new Date(result.expiresAt) > new Date();
