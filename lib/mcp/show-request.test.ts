import { expect, test, vi } from 'vitest';
import type { RequestWire } from '#lib/contract/schemas';
import { env } from '#lib/env';
import { showRequest } from '#lib/mcp/show-request';

const head = vi.hoisted(() => vi.fn());
vi.mock('#lib/storage/store', () => ({ storage: () => ({ head }) }));

const result = {
  url: 'https://a.example/x.png',
  preview_url: `${env().BASE_URL}/media/preview/a.webp`,
  expires_at: '2999-12-31T00:00:00.000Z',
};
const request = { status: 'completed', prompt: 'dusk', result } as unknown as RequestWire;

test('a request is shown without its image while the store is unavailable; other errors are thrown', async () => {
  head.mockRejectedValueOnce(Object.assign(new Error('the store answered 503'), { code: 'STORE_AWAY' }));
  const { structured, content } = await showRequest(request);
  expect([structured, content]).toEqual([request, [expect.objectContaining({ type: 'resource_link' })]]);
  head.mockRejectedValueOnce(new Error('broken'));
  await expect(showRequest(request)).rejects.toThrow('broken');
});

test('an expired or removed result is neither linked nor shown', async () => {
  const expired = { ...request, result: { ...result, expires_at: '2020-01-01T00:00:00.000Z' } } as RequestWire;
  for (const gone of [expired, { ...request, removed_at: '2020-01-01T00:00:00.000Z' }])
    expect(await showRequest(gone)).toEqual({ structured: gone });
});
