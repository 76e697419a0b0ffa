import { libraryOperations } from '#lib/contract/library-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { removePreset } from '#lib/library/presets';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(libraryOperations.removePreset, async ({ caller, params }) => {
    await removePreset(caller.accountId, params.preset_id);
    return {};
  }),
});
