import type { Generation } from '#lib/life/generation';

export type WithResult = Generation & { result: NonNullable<Generation['result']> };

/** Whether there is a result that can be looked at. */
export const hasResult = (generation: Generation): generation is WithResult =>
  generation.result !== null && generation.removedAt === null && new Date(generation.result.expiresAt) > new Date();
