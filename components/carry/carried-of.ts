import type { Carried } from '#components/carry/carried';
import { isOver } from '#components/generations/words';
import type { RequestWire } from '#lib/contract/schemas';

/** The result of a request, to be carried elsewhere; null where there is none any more. */
export function carriedOf({ request_id, result, prompt, removed_at }: RequestWire): Carried | null {
  if (!result || removed_at || isOver(result.expires_at)) return null;
  const { type: media, url, width, height, preview_url: preview } = result;
  return { media, url, name: prompt, requestId: request_id, shape: height ? width / height : undefined, preview };
}
