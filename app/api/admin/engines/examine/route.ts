import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { examineServer } from '#lib/operator/examine-server';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.examineServer, async ({ body }) => ({ body: await examineServer(await body()) })),
});
