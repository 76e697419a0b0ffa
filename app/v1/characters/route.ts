import { createCharacter, listCharacters } from '#lib/cast/characters';
import { characterToWire } from '#lib/cast/to-wire';
import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.listCharacters, async ({ caller, query }) => {
    const { data, nextCursor } = await listCharacters(caller.accountId, query);
    return { body: { data: data.map(characterToWire), next_cursor: nextCursor } };
  }),
  POST: route(operations.createCharacter, async ({ caller, body, signal }) => ({
    body: characterToWire(await createCharacter(caller, await body(), signal)),
  })),
});
