import { buffer } from 'node:stream/consumers';
import { briefly } from '#lib/beginning';
import type { Caller } from '#lib/accounts/callers';
import type { RequestWire, ResultWire } from '#lib/contract/schemas';
import { AppError } from '#lib/errors';
import { toAgentError } from '#lib/mcp/agent-error';
import type { Content, ToolAnswer } from '#lib/mcp/tool';
import { isOutage } from '#lib/outage';
import { storage } from '#lib/storage/store';
import { keyOfUrl } from '#lib/uploads/key-of-url';

/**
 * Returns a request and, while its result exists, a link to it and a small image if it is visual. A failed request is
 * marked as an error, with the facts that a refused tool call has.
 */
export async function showRequest(request: RequestWire, caller: Caller): Promise<ToolAnswer> {
  const { result, status, error, removed_at } = request;
  // the files may outlive the URLs of the result a little
  const isThere = result !== null && !removed_at && new Date(result.expires_at) > new Date();
  return {
    structured: error ? { ...request, error: await toAgentError(error, caller) } : request,
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

/** Returns the smallest rendition; nothing for audio, for a deleted result, or while the store is unavailable. */
async function pictureOf({ preview_url }: ResultWire): Promise<Content> {
  const key = preview_url && keyOfUrl(preview_url);
  if (!key) return [];
  try {
    const facts = await storage().head(key);
    if (!facts) return [];
    const bytes = await buffer(await storage().get(key));
    return [{ type: 'image', data: bytes.toString('base64'), mimeType: facts.contentType }];
  } catch (error) {
    // a store outage must not fail the answer: without an answer, some clients would generate again
    if (isOutage(error) || (error instanceof AppError && error.code === 'not_found')) return [];
    throw error;
  }
}
