import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { webhookToWire } from '#lib/webhooks/to-wire';
import { changeWebhook, deleteWebhook, getWebhook } from '#lib/webhooks/webhooks';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.getWebhook, async ({ caller, params }) => ({
    body: webhookToWire(await getWebhook(caller.accountId, params.webhook_id)),
  })),
  PATCH: route(operations.changeWebhook, async ({ caller, params, body }) => ({
    body: webhookToWire(await changeWebhook(caller.accountId, params.webhook_id, await body())),
  })),
  DELETE: route(operations.deleteWebhook, async ({ caller, params }) => {
    await deleteWebhook(caller.accountId, params.webhook_id);
    return {};
  }),
});
