import { z } from 'zod';

/** Schema of the URL of an engine's server, in engines.json and in COMFYUI_URL. */
export const serverUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine(url => !URL.parse(url)?.username && !URL.parse(url)?.search, 'must hold neither a user nor a query')
  .transform(url => url.replace(/\/+$/, ''));
