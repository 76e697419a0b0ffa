import { expect, test, vi } from 'vitest';
import type { Caller } from '#lib/accounts/callers';
import { callTool } from '#lib/mcp/call-tool';

process.env.LOG_LEVEL = 'silent';
vi.mock('#lib/accounts/accounts', () => ({ getAccount: () => Promise.reject(new Error('a secret of the house')) }));

test('an internal error of a tool is reported with its request id and without details', async () => {
  const caller = { accountId: 'a', scopes: null } as Caller;
  const call = { caller, signal: new AbortController().signal, report: async () => {} };
  const { structuredContent, isError } = await callTool('get_account', {}, call);
  expect(isError).toBe(true);
  expect(structuredContent).toMatchObject({ error: { code: 'internal_error', request_id: expect.any(String) } });
  expect(JSON.stringify(structuredContent)).not.toContain('secret');
});
