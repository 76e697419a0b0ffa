import { operations } from '#lib/contract/operations';
import type { ListWire, RequestWire } from '#lib/contract/schemas';
import { listGenerations } from '#lib/generations/list';
import { toLiveWires } from '#lib/generations/to-wire';
import { LIVE_STATUSES } from '#lib/status';

/** Returns the first page of an account's history, filtered as `GET /v1/requests`; an invalid filter finds nothing. */
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

/** Counts the results of an account that expire within a week, up to `limit`. */
export async function countExpiring(accountId: string, limit: number): Promise<{ count: number; hasMore: boolean }> {
  const { data, nextCursor } = await listGenerations(accountId, { expiring: true, removed: false, limit });
  return { count: data.length, hasMore: nextCursor !== null };
}

/** Returns the live requests of an account, in the form that polls of a page return. */
export async function readLiveRequests(accountId: string, limit: number): Promise<RequestWire[]> {
  const { data } = await listGenerations(accountId, { status: [...LIVE_STATUSES], limit });
  return toLiveWires(data);
}
