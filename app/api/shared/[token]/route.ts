import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { readShared } from '#lib/library/shares';
import { sharedToWire } from '#lib/library/to-wire';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.getShared, async ({ params, query }) => ({
    body: sharedToWire(await readShared(params.token, query)),
  })),
});
