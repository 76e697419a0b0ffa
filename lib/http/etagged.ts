import { hash } from 'node:crypto';
import { matchesEtag } from '#lib/http/byte-range';

/** A text with its validator, made once and answered often. */
export interface Etagged {
  text: string;
  etag: string;
}

export const etagged = (text: string): Etagged => ({ text, etag: etagOf(text) });

/** A strong validator of an answer's text. */
export const etagOf = (text: string): string => `"${hash('sha1', text, 'base64url')}"`;

/** Answers with it, or with 304 where it is known. */
export function answerEtagged(request: Request, { text, etag }: Etagged, headers: Record<string, string>): Response {
  if (matchesEtag(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers: { etag, ...headers } });
  return new Response(text, { headers: { etag, ...headers } });
}
