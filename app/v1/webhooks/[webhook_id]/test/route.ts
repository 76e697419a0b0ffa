import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { sendTest } from '#lib/webhooks/deliveries';
import { deliveryToWire } from '#lib/webhooks/to-wire';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(operations.testWebhook, async ({ caller, params }) => ({
    body: deliveryToWire(await sendTest(caller.accountId, params.webhook_id)),
  })),
});
