import { z } from 'zod';
import { Origins, RemoteModel } from '#lib/engines/served';
import { Parameters } from '#lib/engines/parameters';

const OpenaiModel = RemoteModel.extend({
  /**
   * API that generates the output: `images` (generations, or edits for a job with reference images), `videos`,
   * `speech`, or vLLM-Omni's `audio` for sounds and music.
   */
  call: z.enum(['images', 'videos', 'speech', 'audio']),
  /** Value of `model`; servers with a single model do not need it. */
  model: z.string().min(1).optional(),
  /** Path of the call where it differs from the standard, such as LocalAI's `/video`, which responds like `images`. */
  path: z
    .string()
    .regex(/^\/[\w./-]+$/, 'must begin with a slash')
    .optional(),
  /** Encoding of the body, where a server deviates from the standard. */
  body: z.enum(['json', 'form']).optional(),
  /** For stable-diffusion.cpp: parameters sent inside the prompt, named as in its native API. */
  sd_cpp_extra_args: Parameters.optional(),
});
export type OpenaiModel = z.infer<typeof OpenaiModel>;

/**
 * Options for an OpenAI-compatible media server: SGLang Diffusion, vLLM-Omni, LocalAI, stable-diffusion.cpp or OpenAI.
 */
export const OpenaiOptions = z.strictObject({ origins: Origins, serves: z.array(OpenaiModel).min(1) });
export type OpenaiOptions = z.infer<typeof OpenaiOptions>;
