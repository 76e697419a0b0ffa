import { operations } from '#lib/contract/operations';
import { keepResult, releaseResult } from '#lib/generations/keep';
import { toLiveWire } from '#lib/generations/to-wire';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route(operations.keepResult, async ({ caller, params }) => ({
    body: await toLiveWire(await keepResult(caller.accountId, params.request_id)),
  })),
  DELETE: route(operations.releaseResult, async ({ caller, params }) => ({
    body: await toLiveWire(await releaseResult(caller.accountId, params.request_id)),
  })),
});
