import type { Generation } from '#lib/life/generation';
import { expiryOf } from '#lib/media/lifetime';

export type WithResult<Row = Generation> = Row & { result: NonNullable<Generation['result']> };

/** Whether there is a result that can be looked at. */
export const hasResult = <Row extends Pick<Generation, 'result' | 'removedAt'>>(
  generation: Row,
): generation is WithResult<Row> =>
  generation.result !== null && generation.removedAt === null && new Date(generation.result.expiresAt) > new Date();

/** Whether the files that it was given are there: fetched, and kept still. */
export const hasInputs = ({ fetched, createdAt }: Generation): boolean => fetched && expiryOf(createdAt) > new Date();
