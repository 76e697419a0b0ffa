import { z } from 'zod';
import { Origins, RemoteModel } from '#lib/engines/served';

const FalModel = RemoteModel.extend({
  /** Its id with its path, such as `fal-ai/flux/dev`. */
  model: z.string().regex(/^\w[\w.-]*(\/\w[\w.-]*)+$/, 'must be a model id such as fal-ai/flux/dev'),
});

/** Models hosted by fal. */
export const FalOptions = z.strictObject({
  origins: Origins,
  /** Where files are uploaded to, when the address of the queue is not fal's own. */
  uploads: z.url({ protocol: /^https?$/ }).optional(),
  serves: z.array(FalModel).min(1),
});
export type FalOptions = z.infer<typeof FalOptions>;
