import { accountApi } from '#lib/client/account-api';
import type { CollectionWire } from '#lib/contract/library-schemas';

/** Ids that one call takes. */
const AT_ONCE = 200;

/** Puts requests into a collection, or into a new one of that name, in their order: as many calls, one after another, as they need. */
export async function collect(to: { id: string } | { name: string }, ids: readonly string[]): Promise<CollectionWire> {
  const [request_ids, rest] = [ids.slice(0, AT_ONCE), ids.slice(AT_ONCE)];
  const collection =
    'id' in to
      ? await accountApi.putItems({ params: { collection_id: to.id }, body: { request_ids } })
      : await accountApi.createCollection({ body: { name: to.name, request_ids } });
  return rest.length > 0 ? collect(collection, rest) : collection;
}
