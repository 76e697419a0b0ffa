import { z } from 'zod';
import { Origins, RemoteModel } from '#lib/engines/served';

const NAME = String.raw`\w[\w.-]*/\w[\w.-]*`;

const ReplicateModel = RemoteModel.extend({
  /** `owner/name` (official models only), `owner/name:version`, a version alone, or `deployment:owner/name`. */
  model: z
    .string()
    .regex(
      new RegExp(`^((deployment:)?${NAME}|${NAME}:\\w{64}|\\w{64})$`),
      'must be owner/name, owner/name:version, a version or deployment:owner/name',
    ),
});

/** Options for models hosted by Replicate. */
export const ReplicateOptions = z.strictObject({ origins: Origins, serves: z.array(ReplicateModel).min(1) });
export type ReplicateOptions = z.infer<typeof ReplicateOptions>;
