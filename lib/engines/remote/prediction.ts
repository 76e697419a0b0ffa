import { z } from 'zod';
import { EngineError } from '#lib/engines/engine';
import { jobFailure } from '#lib/engines/remote/job-error';

/** A run of a model, as described by both Cog's server and Replicate's API. */
export const Prediction = z.object({
  id: z.string().nullish(),
  status: z.string(),
  output: z.unknown().optional(),
  error: z.unknown().optional(),
  logs: z.string().nullish(),
  /** Whether Replicate has deleted the output and the logs, which it does after an hour. */
  data_removed: z.boolean().nullish(),
});
export type Prediction = z.infer<typeof Prediction>;

/** Returns the error of a failed run. */
export function failureIn({ error, logs }: Prediction): EngineError {
  const said = typeof error === 'string' ? error : error ? JSON.stringify(error) : '';
  return jobFailure(said || (logs ?? '').trim().split('\n').at(-1) || '');
}
