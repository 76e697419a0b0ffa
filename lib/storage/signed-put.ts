import { createHmac } from 'node:crypto';
import { isSameSecret } from '#lib/secrets';
import type { ClientAccess } from '#lib/storage/storage';

/** What a signed request must carry, exactly. */
interface SignedRequest {
  method: string;
  /** Path of the URL, without percent-decoding. */
  path: string;
  /** Headers with lower-case names. */
  headers: Record<string, string | null>;
}

const RANGE_HEADER = 'x-pomona-content-length-range';
const SIGNED_QUERY = /^\?expires=(\d{1,12})&signature=([A-Za-z0-9_-]{43})$/;

/** Access of clients through this deployment, which verifies the PUTs that it has signed. */
export function throughThisDeployment({ baseUrl, secret }: { baseUrl: string; secret: Buffer }): ClientAccess {
  const put = (path: string, contentType: string | null, range: string | null): SignedRequest => ({
    method: 'PUT',
    path,
    headers: { 'content-type': contentType, [RANGE_HEADER]: range },
  });
  return {
    origin: null,

    async signPut(key, { contentType, maxBytes, expiresAt }) {
      const range = `0,${maxBytes}`;
      const request = put(`/media/${key}`, contentType, range);
      return {
        url: `${baseUrl}${request.path}${signRequest(secret, request, expiresAt)}`,
        method: 'PUT',
        headers: { 'Content-Type': contentType, [RANGE_HEADER]: range },
      };
    },

    verifyPut({ path, query, header }) {
      const range = header(RANGE_HEADER);
      return isSigned(secret, put(path, header('content-type'), range), query) ? Number(range?.split(',')[1]) : null;
    },
  };
}

function signature(secret: Buffer, request: SignedRequest, expires: string): string {
  const headers = Object.entries(request.headers).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHmac('sha256', secret)
    .update(JSON.stringify([request.method, request.path, expires, headers]))
    .digest('base64url');
}

/** Returns the query string that makes `request` valid until `expiresAt`. */
function signRequest(secret: Buffer, request: SignedRequest, expiresAt: Date): string {
  const expires = String(Math.floor(expiresAt.getTime() / 1000));
  return `?expires=${expires}&signature=${signature(secret, request, expires)}`;
}

/** Whether `query` is a signature of exactly this request that has not expired. */
function isSigned(secret: Buffer, request: SignedRequest, query: string): boolean {
  const [, expires, given] = SIGNED_QUERY.exec(query) ?? [];
  if (!expires || !given) return false;
  return isSameSecret(signature(secret, request, expires), given) && Date.now() < Number(expires) * 1000;
}
