import { operations } from '#lib/contract/operations';
import { markFavourite } from '#lib/generations/favourite';
import { toLiveWire } from '#lib/generations/to-wire';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route(operations.setFavourite, async ({ caller, params }) => ({
    body: await toLiveWire(await markFavourite(caller.accountId, params.request_id, true)),
  })),
  DELETE: route(operations.unsetFavourite, async ({ caller, params }) => ({
    body: await toLiveWire(await markFavourite(caller.accountId, params.request_id, false)),
  })),
});
