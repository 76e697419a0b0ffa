import { expect, test, vi } from 'vitest';
import type { Caller } from '#lib/accounts/callers';
import type { RequestWire } from '#lib/contract/schemas';
import { env } from '#lib/env';
import { showRequest } from '#lib/mcp/show-request';

const head = vi.hoisted(() => vi.fn());
vi.mock('#lib/storage/store', () => ({ storage: () => ({ head }) }));
vi.mock('#lib/accounts/ledger', () => ({ readBalance: async () => 3 }));

const result = {
  url: 'https://a.example/x.png',
  preview_url: `${env().BASE_URL}/media/preview/a.webp`,
  expires_at: '2999-12-31T00:00:00.000Z',
};
const caller = { accountId: 'a', keyId: null, scopes: null } as Caller;
const request = { status: 'completed', prompt: 'dusk', result } as unknown as RequestWire;

test('a request is shown without its image while the store is unavailable; other errors are thrown', async () => {
  head.mockRejectedValueOnce(Object.assign(new Error('the store answered 503'), { code: 'STORE_AWAY' }));
  const { structured, content } = await showRequest(request, caller);
  expect([structured, content]).toEqual([request, [expect.objectContaining({ type: 'resource_link' })]]);
  head.mockRejectedValueOnce(new Error('broken'));
  await expect(showRequest(request, caller)).rejects.toThrow('broken');
});

test('an expired or removed result is neither linked nor shown', async () => {
  const expired = { ...request, result: { ...result, expires_at: '2020-01-01T00:00:00.000Z' } } as RequestWire;
  for (const gone of [expired, { ...request, removed_at: '2020-01-01T00:00:00.000Z' }])
    expect(await showRequest(gone, caller)).toEqual({ structured: gone });
});

test('a recorded refusal is shown in the names of the tools, with the balance and what to tell the person', async () => {
  const error = { code: 'insufficient_gems', message: 'It needs a new Idempotency-Key.', gems_required: 5 };
  const refused = { ...request, status: 'failed', result: null, error } as RequestWire;
  const { structured, isError } = await showRequest(refused, caller);
  const tell_the_person = expect.stringContaining('needs 5 gems, and the account has 3');
  const message = 'It needs a new idempotency_key.';
  expect(structured).toEqual({ ...refused, error: { ...error, message, balance: 3, tell_the_person } });
  expect(isError).toBe(true);
  const { structured: read } = await showRequest(refused, { ...caller, scopes: ['read'] });
  expect(read).toEqual({ ...refused, error: { ...error, message } });
});
