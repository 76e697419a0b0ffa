import { hash } from 'node:crypto';
import { pack, textResponse } from '#lib/http/json-response';

/** A text with its ETag, created once and served many times. */
export interface Etagged {
  text: string;
  etag: string;
  /** Compressed text, created at the first request that accepts it. */
  packed?: Promise<Buffer>;
}

export const etagged = (text: string): Etagged => ({ text, etag: etagOf(text) });

/** Returns a strong ETag of a response text. */
export const etagOf = (text: string): string => `"${hash('sha1', text, 'base64url')}"`;

/** Answers with the text, compressed where that pays, or with 304 when the client has it already. */
export async function answerEtagged(
  request: Request,
  known: Etagged,
  headers: Record<string, string>,
): Promise<Response> {
  const { text, etag } = known;
  const init = { status: 200, headers: { etag, ...headers } };
  return textResponse(request, text, init, () => (known.packed ??= pack(text)));
}
