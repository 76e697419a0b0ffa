import { z } from 'zod';
import { Origins, RemoteModel } from '#lib/engines/served';

/** Options for a Cog container: one model, whose inputs are the targets of `parameters`. */
export const CogOptions = z.strictObject({ origins: Origins, serves: z.array(RemoteModel).min(1) });
export type CogOptions = z.infer<typeof CogOptions>;
