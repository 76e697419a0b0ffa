import { buffer } from 'node:stream/consumers';
import { briefly } from '#lib/beginning';
import type { RequestWire, ResultWire } from '#lib/contract/schemas';
import { AppError } from '#lib/errors';
import type { Content, ToolAnswer } from '#lib/mcp/tool';
import { isOutage } from '#lib/outage';
import { storage } from '#lib/storage/store';
import { keyOfUrl } from '#lib/uploads/key-of-url';

/**
 * A request, with its result, for as long as that is there, as a link and, where it can be seen, as a small picture. One that failed is
 * an error.
 */
export async function showRequest(request: RequestWire): Promise<ToolAnswer> {
  const { result, status, removed_at } = request;
  // its files may be there a little longer than its addresses answer
  const isThere = result !== null && !removed_at && new Date(result.expires_at) > new Date();
  return {
    structured: request,
    ...(isThere && { content: [linkTo(request, result), ...(await pictureOf(result))] }),
    ...(status === 'failed' && { isError: true }),
  };
}

const linkTo = ({ request_id, prompt, run, architecture }: RequestWire, result: ResultWire): Content[number] => ({
  type: 'resource_link',
  uri: result.url,
  name: `${architecture} ${request_id}`,
  title: briefly(run?.title ?? prompt, 100),
  description: `A result, kept until ${result.expires_at}`,
  mimeType: result.content_type,
  size: result.bytes,
});

/** The smallest rendition; none of a sound, of what is expired or removed, and none while the store is out. */
async function pictureOf({ preview_url }: ResultWire): Promise<Content> {
  const key = preview_url && keyOfUrl(preview_url);
  if (!key) return [];
  try {
    const facts = await storage().head(key);
    if (!facts) return [];
    const bytes = await buffer(await storage().get(key));
    return [{ type: 'image', data: bytes.toString('base64'), mimeType: facts.contentType }];
  } catch (error) {
    // a store that is out keeps nobody from the answer: without one, some would generate anew
    if (isOutage(error) || (error instanceof AppError && error.code === 'not_found')) return [];
    throw error;
  }
}
