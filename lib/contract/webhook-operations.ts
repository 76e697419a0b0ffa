import { z } from 'zod';
import { plain, type PublicOperation } from '#lib/contract/operation';
import { described, meantAccount, page, words } from '#lib/contract/values';
import * as shape from '#lib/contract/webhook-schemas';

const hook = { ...plain, tag: 'Webhooks', scope: 'account' } as const;
const byWebhook = z.object({ webhook_id: z.string() });
const byDelivery = byWebhook.extend({ delivery_id: z.string() });

/** Operations on webhooks and their deliveries. */
export const webhookOperations = {
  listWebhooks: {
    ...hook,
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'Webhooks of the account, newest first',
    responses: { 200: shape.webhookList },
    errors: [],
  },
  createWebhook: {
    ...hook,
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Register a webhook; the answer shows its secret, only this once',
    headers: z.object({ 'pomona-account': meantAccount }),
    body: shape.newWebhook,
    responses: { 201: shape.createdWebhook },
    errors: ['invalid_request', 'quota_exceeded'],
  },
  getWebhook: {
    ...hook,
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}',
    summary: 'A webhook',
    params: byWebhook,
    responses: { 200: shape.webhook },
    errors: ['webhook_not_found'],
  },
  changeWebhook: {
    ...hook,
    method: 'PATCH',
    path: '/v1/webhooks/{webhook_id}',
    summary: 'Change a webhook or switch it off or on; switching it off drops its pending messages',
    params: byWebhook,
    body: shape.patchWebhook,
    responses: { 200: shape.webhook },
    errors: ['invalid_request', 'webhook_not_found'],
  },
  deleteWebhook: {
    ...hook,
    method: 'DELETE',
    path: '/v1/webhooks/{webhook_id}',
    summary: 'Delete a webhook and its pending messages',
    params: byWebhook,
    responses: { 204: null },
    errors: ['webhook_not_found'],
  },
  rotateWebhookSecret: {
    ...hook,
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/secret',
    summary: 'Create a new secret for a webhook, shown only this once; messages are signed with both for a while',
    params: byWebhook,
    body: shape.rotateSecret,
    responses: { 200: shape.createdWebhook },
    errors: ['invalid_request', 'webhook_not_found'],
  },
  testWebhook: {
    ...hook,
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/test',
    summary: 'Send a test message',
    params: byWebhook,
    responses: { 202: shape.delivery },
    errors: ['invalid_request', 'webhook_not_found', 'webhook_disabled'],
  },
  listDeliveries: {
    ...hook,
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/deliveries',
    summary: 'Messages to a webhook with the outcome of each try, newest first; kept for 14 days',
    params: byWebhook,
    query: page.extend({
      status: described('One or more statuses, separated by commas', words(shape.deliveryStatus.options).optional()),
    }),
    responses: { 200: shape.deliveryList },
    errors: ['invalid_request', 'webhook_not_found'],
  },
  getDelivery: {
    ...hook,
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}',
    summary: 'A message to a webhook, with its headers and body',
    params: byDelivery,
    responses: { 200: shape.deliveryDetail },
    errors: ['webhook_not_found'],
  },
  resendDelivery: {
    ...hook,
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/resend',
    summary: 'Send a message again at once, with the same id',
    params: byDelivery,
    responses: { 202: shape.delivery },
    errors: ['webhook_not_found', 'webhook_disabled'],
  },
} as const satisfies Record<string, PublicOperation>;
