import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { removePreset, renamePreset } from '#lib/library/presets';
import { presetToWire } from '#lib/library/to-wire';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: route(studioOperations.renamePreset, async ({ caller, params, body }) => ({
    body: presetToWire(await renamePreset(caller.accountId, params.preset_id, (await body()).name)),
  })),
  DELETE: route(studioOperations.removePreset, async ({ caller, params }) => {
    await removePreset(caller.accountId, params.preset_id);
    return {};
  }),
});
