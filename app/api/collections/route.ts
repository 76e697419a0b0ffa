import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { createCollection, listCollections } from '#lib/library/collections';
import { collectionDetail, collectionToWire } from '#lib/library/to-wire';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.listCollections, async ({ caller }) => ({
    body: { data: (await listCollections(caller.accountId)).map(collectionToWire) },
  })),
  POST: route(studioOperations.createCollection, async ({ caller, body }) => {
    const { name, notes, request_ids: requestIds = [] } = await body();
    return { body: await collectionDetail(await createCollection(caller.accountId, { name, notes, requestIds })) };
  }),
});
