import type { Generation } from '#lib/life/generation';
import { expiryOf } from '#lib/media/lifetime';

export type WithResult = Generation & { result: NonNullable<Generation['result']> };

/** Whether there is a result that can be looked at. */
export const hasResult = (generation: Generation): generation is WithResult =>
  generation.result !== null && generation.removedAt === null && new Date(generation.result.expiresAt) > new Date();

/** Whether the files that it was given are there: fetched, and kept still. */
export const hasInputs = ({ fetched, createdAt }: Generation): boolean => fetched && expiryOf(createdAt) > new Date();
