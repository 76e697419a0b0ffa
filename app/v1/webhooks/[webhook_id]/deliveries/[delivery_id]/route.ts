import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { getDelivery } from '#lib/webhooks/deliveries';
import { deliveryDetailToWire } from '#lib/webhooks/to-wire';
import { getWebhook } from '#lib/webhooks/webhooks';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.getDelivery, async ({ caller: { accountId }, params: { webhook_id, delivery_id } }) => {
    const webhook = await getWebhook(accountId, webhook_id);
    return { body: deliveryDetailToWire(await getDelivery(accountId, webhook_id, delivery_id), webhook) };
  }),
});
