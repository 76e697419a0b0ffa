import { setVisibility } from '#lib/cast/publish';
import { characterToWire } from '#lib/cast/to-wire';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.publishCharacter, async ({ caller, params }) => ({
    body: characterToWire(await setVisibility(caller.accountId, params.character_id, 'public')),
  })),
  DELETE: route(studioOperations.unpublishCharacter, async ({ caller, params }) => ({
    body: characterToWire(await setVisibility(caller.accountId, params.character_id, 'private')),
  })),
});
