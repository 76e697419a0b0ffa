import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PAGE_ADDRESS, pageAddressOf } from '#lib/auth/page-address';
import { env } from '#lib/env';
import { baseHeaders } from '#lib/http/base-headers';
import { storage } from '#lib/storage/store';

/**
 * Sets the security headers of a page and returns its fresh nonce. Next reads the policy from the request and puts the
 * nonce on its own scripts, so policy and page address are set on the request too, whatever the client sent.
 */
export function setPageHeaders(incoming: IncomingMessage, outgoing: ServerResponse, dev: boolean): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = contentSecurityPolicy(nonce, dev);
  incoming.headers['content-security-policy'] = policy;
  incoming.headers[PAGE_ADDRESS] = pageAddressOf(incoming.url ?? '/');
  outgoing.setHeader('Content-Security-Policy', policy);
  outgoing.setHeader('X-Frame-Options', 'DENY');
  outgoing.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin');
  outgoing.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=(self), payment=(), usb=()');
  outgoing.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  outgoing.setHeaders(new Map(Object.entries(baseHeaders(randomUUID()))));
  return nonce;
}

function contentSecurityPolicy(nonce: string, dev: boolean): string {
  const { BASE_URL, MEDIA_URL } = env();
  // media may have its own origin, and may be uploaded to and read from the store directly
  const media = [MEDIA_URL, storage().origin]
    .map(origin => (origin && origin !== BASE_URL ? ` ${origin}` : ''))
    .join('');
  // React in development rebuilds server stack traces with eval, and reloads over a WebSocket
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? ` 'unsafe-eval'` : ''}`,
    `style-src 'self' ${dev ? `'unsafe-inline'` : `'nonce-${nonce}'`}`,
    // positions and sizes computed in the page are style attributes
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' blob: data:${media}`,
    `media-src 'self' blob: data:${media}`,
    `connect-src 'self'${media}${dev ? ' ws: wss:' : ''}`,
    `font-src 'self'`,
    `worker-src 'self' blob:`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
