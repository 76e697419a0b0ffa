import { hash } from 'node:crypto';
import { pack, textResponse } from '#lib/http/json-response';

/** A text with its validator, made once and answered often. */
export interface Etagged {
  text: string;
  etag: string;
  /** Made for the first who takes it so. */
  packed?: Promise<Buffer>;
}

export const etagged = (text: string): Etagged => ({ text, etag: etagOf(text) });

/** A strong validator of an answer's text. */
export const etagOf = (text: string): string => `"${hash('sha1', text, 'base64url')}"`;

/** Answers with it, packed where that pays, or with 304 where it is known. */
export async function answerEtagged(
  request: Request,
  known: Etagged,
  headers: Record<string, string>,
): Promise<Response> {
  const { text, etag } = known;
  const init = { status: 200, headers: { etag, ...headers } };
  return textResponse(request, text, init, () => (known.packed ??= pack(text)));
}
