import { z } from 'zod';
import { Origins, RemoteModel } from '#lib/engines/served';
import { Parameters } from '#lib/engines/parameters';

const OpenaiModel = RemoteModel.extend({
  /**
   * What makes it: `images` (generations, or edits when a job brings reference pictures), `videos`, `speech`, or vLLM-Omni's
   * `audio` for sounds and music.
   */
  call: z.enum(['images', 'videos', 'speech', 'audio']),
  /** Sent as `model`; servers with a single model do without. */
  model: z.string().min(1).optional(),
  /** Where a server has another path for that call, such as LocalAI's `/video`, which answers as images do. */
  path: z
    .string()
    .regex(/^\/[\w./-]+$/, 'must begin with a slash')
    .optional(),
  /** How parameters travel, where a server wants it otherwise. */
  body: z.enum(['json', 'form']).optional(),
  /** For stable-diffusion.cpp: parameters that travel inside the prompt, as its native API names them. */
  sd_cpp_extra_args: Parameters.optional(),
});
export type OpenaiModel = z.infer<typeof OpenaiModel>;

/** An OpenAI-compatible media server: SGLang Diffusion, vLLM-Omni, LocalAI, stable-diffusion.cpp, OpenAI itself. */
export const OpenaiOptions = z.strictObject({ origins: Origins, serves: z.array(OpenaiModel).min(1) });
export type OpenaiOptions = z.infer<typeof OpenaiOptions>;
