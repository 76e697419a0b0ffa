import { libraryOperations } from '#lib/contract/library-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { createPreset, listPresets } from '#lib/library/presets';
import { presetToWire } from '#lib/library/to-wire';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(libraryOperations.listPresets, async ({ caller }) => ({
    body: { data: (await listPresets(caller.accountId)).map(presetToWire) },
  })),
  POST: route(libraryOperations.createPreset, async ({ caller, body }) => ({
    body: presetToWire(await createPreset(caller.accountId, await body())),
  })),
});
