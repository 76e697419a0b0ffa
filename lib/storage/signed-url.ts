import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a signed request must carry, to the letter. */
export interface SignedRequest {
  method: string;
  /** Path of the URL, undecoded. */
  path: string;
  /** Names in lower case. */
  headers: Record<string, string | null>;
}

const SIGNED_QUERY = /^\?expires=(\d{1,12})&signature=([A-Za-z0-9_-]{43})$/;

function signature(secret: Buffer, request: SignedRequest, expires: string): string {
  const headers = Object.entries(request.headers).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHmac('sha256', secret)
    .update(JSON.stringify([request.method, request.path, expires, headers]))
    .digest('base64url');
}

/** The query that makes `request` valid until `expiresAt`. */
export function signRequest(secret: Buffer, request: SignedRequest, expiresAt: Date): string {
  const expires = String(Math.floor(expiresAt.getTime() / 1000));
  return `?expires=${expires}&signature=${signature(secret, request, expires)}`;
}

/** Whether `query` was made for exactly this request and is still valid. */
export function isSigned(secret: Buffer, request: SignedRequest, query: string, now = new Date()): boolean {
  const [, expires, given] = SIGNED_QUERY.exec(query) ?? [];
  if (!expires || !given) return false;
  const genuine = timingSafeEqual(Buffer.from(signature(secret, request, expires)), Buffer.from(given));
  return genuine && now.getTime() < Number(expires) * 1000;
}
