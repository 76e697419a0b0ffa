import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { listDeliveries } from '#lib/webhooks/deliveries';
import { deliveryToWire } from '#lib/webhooks/to-wire';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.listDeliveries, async ({ caller, params, query }) => {
    const { data, nextCursor } = await listDeliveries(caller.accountId, params.webhook_id, query);
    return { body: { data: data.map(deliveryToWire), next_cursor: nextCursor } };
  }),
});
