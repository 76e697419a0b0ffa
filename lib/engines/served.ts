import { z } from 'zod';
import { EngineError, type EngineJob } from '#lib/engines/engine';
import { Parameters } from '#lib/engines/parameters';

/** What an engine serves: an architecture, or some of its variants. */
export const Served = z.looseObject({
  architecture: z.string().min(1),
  /** All variants when left out. */
  model_ids: z.array(z.string().min(1)).min(1).optional(),
});
export type Served = z.infer<typeof Served>;

/** The same, by a model that takes parameters of its own; connectors add what their type needs. */
export const RemoteModel = z.strictObject({
  ...Served.shape,
  /** Over the standard parameters of the connector. */
  parameters: Parameters.optional(),
  /** Where in the answer the result is, such as `output.0`, when it is not the first file in it. */
  output: z.string().min(1).optional(),
});

/**
 * Further origins that results may be fetched from although they are not public, such as a store beside the server. Its own
 * and public ones need no mention.
 */
export const Origins = z.array(z.url({ protocol: /^https?$/ }).transform(url => new URL(url).origin)).optional();

/** Milliseconds, for tests. */
export interface TestLimits {
  /** Of silence that are too many. */
  answerMs?: number | undefined;
  /** Before a job is asked for a second time. */
  pollMs?: number | undefined;
}

/** A variant of an architecture, as jobs name it. */
export type Variant = Pick<EngineJob, 'architecture' | 'modelId'>;

/** Whether a variant is among what is served. */
export const isAmong = ({ architecture, model_ids }: Served, variant: Variant): boolean =>
  architecture === variant.architecture && (model_ids?.includes(variant.modelId) ?? true);

/** What of `serves` is for a job. Throws `EngineError` when nothing is. */
export function servedFor<T extends Served>(serves: T[], variant: Variant): T {
  const found = serves.find(served => isAmong(served, variant));
  if (found) return found;
  const { architecture, modelId } = variant;
  throw new EngineError('model_missing', `the engine does not serve ${modelId} of ${architecture}`, false);
}
