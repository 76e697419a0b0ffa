import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { tryEngine } from '#lib/operator/try-engine';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.tryEngine, async ({ body, signal }) => ({
    body: await tryEngine(await body(), signal),
  })),
});
