import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { resendDelivery } from '#lib/webhooks/deliveries';
import { deliveryToWire } from '#lib/webhooks/to-wire';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(operations.resendDelivery, async ({ caller, params }) => ({
    body: deliveryToWire(await resendDelivery(caller.accountId, params.webhook_id, params.delivery_id)),
  })),
});
