import { findFreeHandle } from '#lib/cast/handles';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.getHandle, async ({ params: { handle } }) => {
    const free = await findFreeHandle(handle);
    return { body: { handle, available: free === handle, suggestion: free === handle ? null : free } };
  }),
});
