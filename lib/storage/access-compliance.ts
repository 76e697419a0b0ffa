import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ByteStore, ClientAccess, SignedPut } from '#lib/storage/storage';

/** Tests that every implementation of `ClientAccess` with signed URLs must pass. */
export function testClientAccess(name: string, make: () => Promise<{ bytes: ByteStore; access: ClientAccess }>): void {
  const body = randomBytes(5_000);
  const soon = () => new Date(Date.now() + 60_000);
  const ticket = { contentType: 'image/png', maxBytes: 10_000 };
  const send = ({ url, method, headers }: SignedPut, bytes = body) => fetch(url, { method, headers, body: bytes });
  const answer = {
    'content-type': 'image/png',
    'content-disposition': 'inline; filename="a b.png"',
    'cache-control': 'private',
  };

  test(`${name}: a signed PUT uploads a file, and can be sent again`, async () => {
    const { bytes, access } = await make();
    const put = await access.signPut('upload/a.png', { ...ticket, expiresAt: soon() });
    expect(new URL(put.url).origin).toBe(access.origin);
    const [type, range, ...others] = Object.entries(put.headers);
    expect(type).toEqual(['Content-Type', 'image/png']);
    expect(range).toEqual([expect.stringMatching(/^x-.+-content-length-range$/), '0,10000']);
    expect(others).toEqual([]);
    expect((await send(put)).status).toBe(200);
    expect(await bytes.head('upload/a.png')).toMatchObject({ bytes: body.length, contentType: 'image/png' });
    expect((await send(put)).status).toBe(200);
    expect(body.equals(await buffer(await bytes.get('upload/a.png')))).toBe(true);
  });

  /** Replaces the header that has the value `from`, or removes it when `to` is null. */
  const changed = ({ headers }: SignedPut, from: string, to: string | null) => ({
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([header, value]) =>
        value !== from ? [[header, value]] : to === null ? [] : [[header, to]],
      ),
    ),
  });
  const tampered: [string, (put: SignedPut) => Partial<SignedPut>][] = [
    ['another type', put => changed(put, 'image/png', 'text/html')],
    ['no type', put => changed(put, 'image/png', null)],
    ['a wider range', put => changed(put, '0,10000', '0,99999')],
    ['no range', put => changed(put, '0,10000', null)],
    ['another key', put => ({ url: put.url.replace('upload/a.png', 'upload/b.png') })],
    ['a later end', put => ({ url: put.url.replace(/(Expires=)\d+/, '$19999') })],
    [
      'another signature',
      put => ({ url: put.url.replace(/.(&[^&]*)?$/, match => (match[0] === '0' ? '1' : '0') + match.slice(1)) }),
    ],
    ['no signature', put => ({ url: put.url.split('?')[0]! })],
  ];
  test.each(tampered)(`${name}: refuses a PUT with %s`, async (_, change) => {
    const { bytes, access } = await make();
    const put = await access.signPut('upload/a.png', { ...ticket, expiresAt: soon() });
    expect((await send({ ...put, ...change(put) })).status).toBeGreaterThanOrEqual(400);
    expect(await bytes.head('upload/a.png')).toBeNull();
    expect(await bytes.head('upload/b.png')).toBeNull();
    expect((await send(put)).status).toBe(200);
  });

  test(`${name}: an accepted file does not change when its upload address receives another PUT`, async () => {
    const { bytes, access } = await make();
    const put = await access.signPut('upload/a.png', { ...ticket, expiresAt: soon() });
    expect(await access.accept!('upload/a.png', 'upload/kept.png')).toBe(false);
    await send(put);
    expect(await access.accept!('upload/a.png', 'upload/kept.png')).toBe(true);
    await send(put, randomBytes(20));
    expect(await bytes.head('upload/kept.png')).toMatchObject({ bytes: body.length });
    expect(body.equals(await buffer(await bytes.get('upload/kept.png')))).toBe(true);
  });

  test(`${name}: a signed PUT is refused after its expiry`, async () => {
    const { bytes, access } = await make();
    const end = Date.now();
    const late = await access.signPut('upload/a.png', { ...ticket, expiresAt: new Date(end) });
    await expect.poll(() => Date.now(), { timeout: 3000 }).toBeGreaterThan(end + 1000);
    const refused = await send(late);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(await refused.text()).toMatch(/expired|AccessDenied/i);
    expect(await bytes.head('upload/a.png')).toBeNull();
  });

  test(`${name}: a signed GET address stays the same for a while and answers with the requested headers`, async () => {
    const { bytes, access } = await make();
    await bytes.put('result/a.png', body, 'image/png');
    const sign = () =>
      access.signGet!('result/a.png', { headers: answer, expiresAt: new Date(Date.now() + 86_400_000) });
    const url = await sign();
    expect(await sign()).toBe(url);
    const whole = await fetch(url);
    expect(whole.status).toBe(200);
    for (const [header, value] of Object.entries(answer)) expect(whole.headers.get(header)).toBe(value);
    expect(body.equals(Buffer.from(await whole.arrayBuffer()))).toBe(true);
    const part = await fetch(url, { headers: { range: 'bytes=10-19' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${body.length}`]);
    const known = { 'if-none-match': (await bytes.head('result/a.png'))!.etag };
    expect((await fetch(url, { headers: known })).status).toBe(304);
    for (const other of [url.replace('a.png', 'b.png'), url.replace('image%2Fpng', 'text%2Fhtml'), url.split('?')[0]!])
      expect([400, 403]).toContain((await fetch(other)).status);

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_200_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await fetch(url)).status).toBeGreaterThanOrEqual(400);
    expect((await fetch(await sign())).status).toBe(200);
  });
}
