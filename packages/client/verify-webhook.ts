import type { WebhookEvent } from './wire.ts';

/** A webhook that did not come from this deployment, or is too old to be sure. Answer it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

export interface VerifyOptions {
  /** Seconds between signing and now that are still believed; 300 unless told. */
  tolerance?: number;
}

/** The headers of a request, as fetch, Node's http or a function in a cloud has them. */
type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/**
 * Checks a webhook (Standard Webhooks) and gives what it says. `body` is the text or the bytes as they came, not parsed; `secret`
 * begins with `whsec_`. While a secret is being changed, both are signed with: either will do. Throws `WebhookError`.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { tolerance = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
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
    // compares in constant time
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
