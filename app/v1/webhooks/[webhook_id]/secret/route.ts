import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { newWebhookToWire } from '#lib/webhooks/to-wire';
import { rotateSecret } from '#lib/webhooks/webhooks';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(operations.rotateWebhookSecret, async ({ caller, params, body }) => {
    const { overlap_hours } = await body();
    return { body: newWebhookToWire(await rotateSecret(caller.accountId, params.webhook_id, overlap_hours)) };
  }),
});
