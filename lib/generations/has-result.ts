import type { Generation } from '#lib/life/generation';
import { expiryOf } from '#lib/media/lifetime';

export type WithResult<Row = Generation> = Row & { result: NonNullable<Generation['result']> };

/** Whether a request has a result that is neither removed nor expired. */
export const hasResult = <Row extends Pick<Generation, 'result' | 'removedAt'>>(
  generation: Row,
): generation is WithResult<Row> =>
  generation.result !== null && generation.removedAt === null && new Date(generation.result.expiresAt) > new Date();

/** Whether the input files of a request are fetched and have not expired. */
export const hasInputs = ({ fetched, createdAt }: Generation): boolean => fetched && expiryOf(createdAt) > new Date();
