import { z } from 'zod';
import { EngineError, type EngineJob } from '#lib/engines/engine';
import { Parameters } from '#lib/engines/parameters';

/** An architecture that an engine serves, or some of its variants. */
export const Served = z.looseObject({
  architecture: z.string().min(1),
  /** Variants served; defaults to all. */
  model_ids: z.array(z.string().min(1)).min(1).optional(),
});
export type Served = z.infer<typeof Served>;

/** An architecture served by a remote model with its own parameters. Connectors extend it with fields of their type. */
export const RemoteModel = z.strictObject({
  ...Served.shape,
  /** Parameters that extend or override the connector's standard ones. */
  parameters: Parameters.optional(),
  /** Path of the result in the response, such as `output.0`; defaults to the first file. */
  output: z.string().min(1).optional(),
});

/**
 * Additional non-public origins that results may be fetched from, such as an object store in the same network. The
 * server's own origin and public ones need not be listed.
 */
export const Origins = z.array(z.url({ protocol: /^https?$/ }).transform(url => new URL(url).origin)).optional();

/** Time limits that tests override, in milliseconds. */
export interface TestLimits {
  /** Maximum silence before a call fails. */
  answerMs?: number | undefined;
  /** Interval between polls of a job. */
  pollMs?: number | undefined;
}

/** A variant of an architecture, identified as in a job. */
export type Variant = Pick<EngineJob, 'architecture' | 'modelId'>;

/** Whether an entry of `serves` covers a variant. */
export const isAmong = ({ architecture, model_ids }: Served, variant: Variant): boolean =>
  architecture === variant.architecture && (model_ids?.includes(variant.modelId) ?? true);

/** Returns the entry of `serves` that covers a variant. Throws `model_missing` when none does. */
export function servedFor<T extends Served>(serves: T[], variant: Variant): T {
  const found = serves.find(served => isAmong(served, variant));
  if (found) return found;
  const { architecture, modelId } = variant;
  throw new EngineError('model_missing', `the engine does not serve ${modelId} of ${architecture}`, false);
}
