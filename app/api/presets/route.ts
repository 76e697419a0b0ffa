import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { createPreset, listPresets } from '#lib/library/presets';
import { presetToWire } from '#lib/library/to-wire';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.listPresets, async ({ caller }) => ({
    body: { data: (await listPresets(caller.accountId)).map(presetToWire) },
  })),
  POST: route(studioOperations.createPreset, async ({ caller, body }) => ({
    body: presetToWire(await createPreset(caller.accountId, await body())),
  })),
});
