import { z } from 'zod';
import { Origins, RemoteModel } from '#lib/engines/served';

const FalModel = RemoteModel.extend({
  /** Model id with its path, such as `fal-ai/flux/dev`. */
  model: z.string().regex(/^\w[\w.-]*(\/\w[\w.-]*)+$/, 'must be a model id such as fal-ai/flux/dev'),
});

/** Options for models hosted by fal. */
export const FalOptions = z.strictObject({
  origins: Origins,
  /** Base address for uploads, when the queue's address is not fal's own. */
  uploads: z.url({ protocol: /^https?$/ }).optional(),
  serves: z.array(FalModel).min(1),
});
export type FalOptions = z.infer<typeof FalOptions>;
