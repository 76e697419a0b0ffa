import type { Generation } from '#lib/life/generation';

export type Shown = Generation & { result: NonNullable<Generation['result']> };

/** Whether there is a result that can be looked at. */
export const isShown = (generation: Generation): generation is Shown =>
  generation.result !== null && generation.removedAt === null && new Date(generation.result.expiresAt) > new Date();
