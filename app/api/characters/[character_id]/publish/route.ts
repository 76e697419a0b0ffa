import { setVisibility } from '#lib/cast/characters';
import { characterToWire } from '#lib/cast/to-wire';
import { answer } from '#lib/http/answer';
import { getCaller } from '#lib/http/caller';
import { methods } from '#lib/http/methods';

/** POST publishes a character, so that everybody may mention it; DELETE makes it private again. */
const become = (visibility: 'public' | 'private') =>
  answer(async (request, { params }) => {
    const { accountId } = await getCaller(request);
    const id = (await params)?.character_id;
    const character = await setVisibility(accountId, String(id), visibility);
    return Response.json(characterToWire(character), { headers: { 'cache-control': 'no-store' } });
  });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: become('public'),
  DELETE: become('private'),
});
