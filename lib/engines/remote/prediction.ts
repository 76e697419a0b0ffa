import { z } from 'zod';
import { EngineError } from '#lib/engines/engine';
import { jobFailure } from '#lib/engines/remote/job-error';

/** A run of a model, as Cog's server and Replicate's API both describe it. */
export const Prediction = z.object({
  id: z.string().nullish(),
  status: z.string(),
  output: z.unknown().optional(),
  error: z.unknown().optional(),
  logs: z.string().nullish(),
});
export type Prediction = z.infer<typeof Prediction>;

/** Why a run failed. */
export function failureIn({ error, logs }: Prediction): EngineError {
  const said = typeof error === 'string' ? error : error ? JSON.stringify(error) : '';
  return jobFailure(said || (logs ?? '').trim().split('\n').at(-1) || '');
}
