import { mkdtemp } from 'node:fs/promises';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { PAGE_ADDRESS } from '#lib/auth/page-address';
import { env } from '#lib/env';
import { setPageHeaders } from '#lib/http/page-headers';
import { singletons } from '#lib/singleton';

const NONCE = /script-src 'self' 'nonce-([^']+)' 'strict-dynamic';/;

beforeEach(async () => {
  Object.assign(env(), {
    DATA_DIR: await mkdtemp(join(tmpdir(), 'pomona-headers-')),
    BASE_URL: 'https://pomona.example',
    MEDIA_URL: 'https://pomona.example',
  });
});

function headersOf(sent: Record<string, string> = {}, url = '/') {
  const incoming = Object.assign(new IncomingMessage(new Socket()), { url });
  Object.assign(incoming.headers, sent);
  const outgoing = new ServerResponse(incoming);
  setPageHeaders(incoming, outgoing, false);
  return { asked: incoming.headers, given: outgoing.getHeaders() };
}

test('request and response carry the same security policy with a new nonce, whatever the client sent', () => {
  const { asked, given } = headersOf({ 'content-security-policy': `script-src 'nonce-known'` });
  expect(asked['content-security-policy']).toBe(given['content-security-policy']);
  const nonce = NONCE.exec(String(given['content-security-policy']))?.[1];
  expect(nonce).toMatch(/^[\w+/]{22}==$/);
  expect(NONCE.exec(String(headersOf().given['content-security-policy']))?.[1]).not.toBe(nonce);
});

test.each([
  ['/history?type=video&q=a+fig&_rsc=1x2y3', '/history?type=video&q=a+fig'],
  ['/characters?_rsc=1x2y3', '/characters'],
  ['/create/mango', '/create/mango'],
])('the page at %s receives its address in a request header, whatever the client sent', (url, address) => {
  expect(headersOf({ [PAGE_ADDRESS]: '/elsewhere' }, url).asked[PAGE_ADDRESS]).toBe(address);
});

test('pages have all security headers, and strict-transport-security only if the base URL is https', () => {
  const { given } = headersOf();
  for (const rule of [`frame-ancestors 'none'`, `base-uri 'none'`, `object-src 'none'`, `form-action 'self'`])
    expect(given['content-security-policy']).toContain(rule);
  expect(given['content-security-policy']).toMatch(/; style-src 'self' 'nonce-[^']+';/);
  expect(given['x-frame-options']).toBe('DENY');
  expect(given['permissions-policy']).toContain('camera=()');
  // URLs may contain tokens of links
  expect(given['referrer-policy']).toBe('strict-origin-when-cross-origin');
  expect(given['cross-origin-opener-policy']).toBe('same-origin');
  expect(given['x-content-type-options']).toBe('nosniff');
  expect(given['strict-transport-security']).toContain('max-age=');
  Object.assign(env(), { BASE_URL: 'http://localhost:3000', MEDIA_URL: 'http://localhost:3000' });
  expect(headersOf().given['strict-transport-security']).toBeUndefined();
});

test('the security policy of pages allows loading media from the bucket and uploading to it', () => {
  singletons.delete('storage');
  const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
  Object.assign(env(), keys, { STORAGE_URL: 's3://media?region=eu-central-1', MEDIA_DELIVERY: 'redirect' });
  const policy = String(headersOf().given['content-security-policy']);
  for (const kind of ['img-src', 'media-src', 'connect-src']) {
    expect(policy).toMatch(new RegExp(`${kind} [^;]* https://media\\.s3\\.eu-central-1\\.amazonaws\\.com[ ;]`));
  }
  singletons.delete('storage');
  Object.assign(env(), { STORAGE_URL: undefined, MEDIA_DELIVERY: 'proxy' });
});

test('the security policy of pages allows loading from and uploading to a separate media origin', () => {
  Object.assign(env(), { MEDIA_URL: 'https://media.example' });
  const policy = String(headersOf().given['content-security-policy']);
  for (const kind of ['img-src', 'media-src', 'connect-src']) {
    expect(policy).toMatch(new RegExp(`${kind} [^;]*https://media\\.example`));
  }
});
