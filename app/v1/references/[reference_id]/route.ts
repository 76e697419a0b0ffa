import { changeReference, deleteReference, getReference } from '#lib/cast/references';
import { referenceToWire } from '#lib/cast/to-wire';
import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.getReference, async ({ caller, params }) => ({
    body: referenceToWire(await getReference(caller.accountId, params.reference_id)),
  })),
  PATCH: route(operations.changeReference, async ({ caller, params, body, signal }) => ({
    body: referenceToWire(await changeReference(caller, params.reference_id, await body(), signal)),
  })),
  DELETE: route(operations.deleteReference, async ({ caller, params }) => {
    await deleteReference(caller.accountId, params.reference_id);
    return {};
  }),
});
