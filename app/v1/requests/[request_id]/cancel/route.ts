import { operations } from '#lib/contract/operations';
import { cancelGeneration } from '#lib/generations/cancel';
import { toWire } from '#lib/generations/to-wire';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(operations.cancelRequest, async ({ caller, params }) => ({
    body: toWire(await cancelGeneration(caller.accountId, params.request_id)),
  })),
});
