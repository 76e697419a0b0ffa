import { z } from 'zod';
import { EngineError } from '#lib/engines/engine';
import type { Parameters } from '#lib/engines/parameters';
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

/** What nearly every model takes; Cog drops what a model does not know. */
export const PREDICTION_INPUT: Parameters = { prompt: { from: 'prompt' }, seed: { from: 'seed' } };

/** Why a run failed. */
export function failureIn({ error, logs }: Prediction): EngineError {
  const said = typeof error === 'string' ? error : error ? JSON.stringify(error) : '';
  return jobFailure(said || (logs ?? '').trim().split('\n').at(-1) || '');
}
