import { changeCharacter } from '#lib/cast/change-character';
import { deleteCharacter, getCharacter } from '#lib/cast/characters';
import { characterToWire } from '#lib/cast/to-wire';
import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.getCharacter, async ({ caller, params }) => ({
    body: characterToWire(await getCharacter(caller.accountId, params.character_id)),
  })),
  PATCH: route(operations.changeCharacter, async ({ caller, params, body, signal }) => ({
    body: characterToWire(await changeCharacter(caller, params.character_id, await body(), signal)),
  })),
  DELETE: route(operations.deleteCharacter, async ({ caller, params }) => {
    await deleteCharacter(caller.accountId, params.character_id);
    return {};
  }),
});
