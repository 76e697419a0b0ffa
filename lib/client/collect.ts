import type { QueryClient } from '@tanstack/react-query';
import { studioApi } from '#lib/client/studio-api';
import { isNotFound } from '#lib/client/or-gone';
import { stillThere } from '#lib/client/still-there';
import type { CollectionWire } from '#lib/contract/library-schemas';

/** Maximum number of ids per call. */
const AT_ONCE = 200;

/** Some of the requests are in the collection, but a later call failed. */
export class PartlyCollected extends Error {
  override readonly name = 'PartlyCollected';
  readonly collection: CollectionWire;

  constructor(collection: CollectionWire, some: string, cause: Error) {
    super(`${some} are in “${collection.name}”. ${cause.message}`, { cause });
    this.collection = collection;
  }
}

type Goal = { id: string } | { name: string };

/**
 * Puts requests into a collection, or into a new one with the given name, in order, without those that were deleted
 * elsewhere. Throws `PartlyCollected` when only the first of them were added; the call is safe to repeat.
 */
export async function collect(client: QueryClient, to: Goal, ids: readonly string[]): Promise<CollectionWire> {
  try {
    return await putAll(to, ids);
  } catch (error) {
    const begun = error instanceof PartlyCollected ? error : undefined;
    if (!isNotFound(begun?.cause ?? error)) throw error;
    const there = await stillThere(client, ids);
    if (there.length === 0 || there.length === ids.length) throw error;
    return putAll(begun ? { id: begun.collection.id } : to, there);
  }
}

/** Adds the requests in consecutive calls of at most `AT_ONCE` ids. */
async function putAll(to: Goal, ids: readonly string[]): Promise<CollectionWire> {
  const request_ids = ids.slice(0, AT_ONCE);
  const put = (collection_id: string, request_ids: string[]) =>
    studioApi.putItems({ params: { collection_id }, body: { request_ids } });
  let collection =
    'id' in to
      ? await put(to.id, request_ids)
      : await studioApi.createCollection({ body: { name: to.name, request_ids } });
  for (let at = AT_ONCE; at < ids.length; at += AT_ONCE)
    try {
      collection = await put(collection.id, ids.slice(at, at + AT_ONCE));
    } catch (error) {
      throw new PartlyCollected(collection, `${at} of ${ids.length}`, error as Error);
    }
  return collection;
}
