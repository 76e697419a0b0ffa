import type { Carried } from '#components/carry/carried';
import { nameOf } from '#components/generations/name-of';
import { isOver } from '#components/generations/words';
import type { RequestWire } from '#lib/contract/schemas';

/** The result of a request, to be carried elsewhere; null where there is none any more. */
export function carriedOf(request: RequestWire): Carried | null {
  const { request_id, result, removed_at } = request;
  if (!result || removed_at || isOver(result.expires_at)) return null;
  const { type: media, url, width, height, preview_url: preview } = result;
  return {
    media,
    url,
    name: nameOf(request),
    requestId: request_id,
    shape: height ? width / height : undefined,
    preview,
  };
}
