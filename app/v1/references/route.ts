import { createReference, listReferences } from '#lib/cast/references';
import { referenceToWire } from '#lib/cast/to-wire';
import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.listReferences, async ({ caller, query }) => {
    const { data, nextCursor } = await listReferences(caller.accountId, query);
    return { body: { data: data.map(referenceToWire), next_cursor: nextCursor } };
  }),
  POST: route(operations.createReference, async ({ caller, body, signal }) => ({
    body: referenceToWire(await createReference(caller, await body(), signal)),
  })),
});
