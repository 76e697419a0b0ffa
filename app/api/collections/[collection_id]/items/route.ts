import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { putItems, takeItems } from '#lib/library/collection-items';
import { getCollection } from '#lib/library/collections';
import { collectionDetail } from '#lib/library/to-wire';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route(studioOperations.putItems, async ({ caller, params, body }) => {
    const { request_ids, before = null } = await body();
    const collection = await getCollection(caller.accountId, params.collection_id);
    await putItems(collection, request_ids, before);
    return { body: await collectionDetail(await getCollection(caller.accountId, collection.id)) };
  }),
  DELETE: route(studioOperations.takeItems, async ({ caller, params, query }) => {
    const collection = await getCollection(caller.accountId, params.collection_id);
    await takeItems(collection, query.ids);
    return { body: await collectionDetail(await getCollection(caller.accountId, collection.id)) };
  }),
});
