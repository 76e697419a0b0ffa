import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { changeCollection, getCollection, removeCollection } from '#lib/library/collections';
import { collectionDetail } from '#lib/library/to-wire';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.getCollection, async ({ caller, params }) => ({
    body: await collectionDetail(await getCollection(caller.accountId, params.collection_id)),
  })),
  PATCH: route(studioOperations.changeCollection, async ({ caller, params, body }) => {
    const { cover_id: coverId, ...rest } = await body();
    const change = { ...rest, coverId };
    return { body: await collectionDetail(await changeCollection(caller.accountId, params.collection_id, change)) };
  }),
  DELETE: route(studioOperations.removeCollection, async ({ caller, params }) => {
    await removeCollection(caller.accountId, params.collection_id);
    return {};
  }),
});
