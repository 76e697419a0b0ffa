import { expect, test, vi } from 'vitest';
import type { ToolCall } from '#lib/mcp/tool';
import { watchRequest } from '#lib/mcp/watch-request';

const look = vi.hoisted(() => vi.fn(async () => ({ status: 'queued', progress: null })));
vi.mock('#lib/generations/wait', () => ({ waitForGeneration: look }));

test('watchRequest returns without a progress report when waitForGeneration does not wait', async () => {
  const report = vi.fn<ToolCall['report']>();
  const call = { caller: { accountId: 'a' }, signal: new AbortController().signal, report } as unknown as ToolCall;
  expect(await watchRequest('one', 120, call)).toMatchObject({ status: 'queued' });
  expect([look.mock.calls.length, report.mock.calls.length]).toEqual([1, 0]);
});
