import type { Carried } from '#components/carry/carried';
import { nameOf } from '#components/generations/name-of';
import { isOver } from '#components/generations/words';
import type { RequestWire } from '#lib/contract/schemas';

/** Returns the result of a request as `Carried`; null if it has none, or it was deleted or expired. */
export function carriedOf(request: RequestWire): Carried | null {
  const { request_id, result, removed_at } = request;
  if (!result || removed_at || isOver(result.expires_at)) return null;
  const { type: media, url, width, height, duration, preview_url: preview } = result;
  return {
    media,
    url,
    name: nameOf(request),
    requestId: request_id,
    shape: height ? width / height : undefined,
    duration,
    preview,
  };
}
