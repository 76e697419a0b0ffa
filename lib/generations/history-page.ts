import { operations } from '#lib/contract/operations';
import type { ListWire, RequestWire } from '#lib/contract/schemas';
import { listGenerations } from '#lib/generations/list';
import { toLiveWires } from '#lib/generations/to-wire';

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
