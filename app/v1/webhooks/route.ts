import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { newWebhookToWire, webhookToWire } from '#lib/webhooks/to-wire';
import { createWebhook, listWebhooks } from '#lib/webhooks/webhooks';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.listWebhooks, async ({ caller }) => ({
    body: { data: (await listWebhooks(caller.accountId)).map(webhookToWire) },
  })),
  POST: route(operations.createWebhook, async ({ caller, body }) => ({
    body: newWebhookToWire(await createWebhook(caller.accountId, await body())),
  })),
});
