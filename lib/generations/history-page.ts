import { operations } from '#lib/contract/operations';
import type { ListWire, RequestWire } from '#lib/contract/schemas';
import { listGenerations } from '#lib/generations/list';
import { toLiveWires } from '#lib/generations/to-wire';
import { LIVE_STATUSES } from '#lib/status';

/** The newest requests of an account as its history shows them, narrowed as `GET /v1/requests` does; a filter that it refuses finds nothing. */
export async function readHistoryPage(
  accountId: string,
  filter: object,
  limit: number,
): Promise<ListWire<RequestWire>> {
  const parsed = operations.listRequests.query.safeParse({ ...filter, limit: String(limit), removed: 'false' });
  if (!parsed.success) return { data: [], next_cursor: null };
  const { data, nextCursor } = await listGenerations(accountId, parsed.data);
  return { data: await toLiveWires(data), next_cursor: nextCursor };
}

/** How many results of an account expire within a week, counted as far as a page of them goes. */
export async function countExpiring(accountId: string, limit: number): Promise<{ count: number; hasMore: boolean }> {
  const { data, nextCursor } = await listGenerations(accountId, { expiring: true, removed: false, limit });
  return { count: data.length, hasMore: nextCursor !== null };
}

/** What is live of an account, as a page's one poll would see it. */
export async function readLiveRequests(accountId: string, limit: number): Promise<RequestWire[]> {
  const { data } = await listGenerations(accountId, { status: [...LIVE_STATUSES], limit });
  return toLiveWires(data);
}
