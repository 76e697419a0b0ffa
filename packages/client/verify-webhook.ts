import type { WebhookEvent } from './wire.ts';

/** A webhook without a valid signature, or outside the time tolerance. Respond to it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

export interface VerifyOptions {
  /** Maximum difference between the time of signing and now, in seconds; 300 by default. */
  tolerance?: number;
}

/** The headers of a request, in the form of fetch, Node's http or a serverless function. */
type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/**
 * Verifies a webhook (Standard Webhooks) and returns its event. `body` is the raw text or bytes, not parsed JSON;
 * `secret` begins with `whsec_`; during a rotation, either of the two secrets verifies. Throws `WebhookError`, and a
 * `TypeError` when the receiver has no secret or parsed the body.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { tolerance = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (!secret)
    throw new TypeError('The secret is missing. It begins with whsec_, and is shown when a webhook is created.');
  if (typeof body !== 'string' && !('byteLength' in Object(body)))
    throw new TypeError('The body must be the text or the bytes that arrived, not parsed.');
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > tolerance)
    throw new WebhookError('The webhook is too old, or from the future.');
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), HMAC, false, ['verify']);
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const signature of header(headers, 'webhook-signature').split(' ')) {
    const [version, value = ''] = signature.split(',');
    // `verify` compares in constant time
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(value), signed)))
      return JSON.parse(text) as WebhookEvent;
  }
  throw new WebhookError('No signature of the webhook matches.');
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

function header(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || !value) throw new WebhookError(`The header ${name} is missing.`);
  return value;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  } catch {
    throw new WebhookError('The secret or a signature is not base64.');
  }
}
