import { setVisibility } from '#lib/cast/publish';
import { characterToWire } from '#lib/cast/to-wire';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(accountOperations.publishCharacter, async ({ caller, params }) => ({
    body: characterToWire(await setVisibility(caller.accountId, params.character_id, 'public')),
  })),
  DELETE: route(accountOperations.unpublishCharacter, async ({ caller, params }) => ({
    body: characterToWire(await setVisibility(caller.accountId, params.character_id, 'private')),
  })),
});
