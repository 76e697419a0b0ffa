import type { CreatedWebhookWire, DeliveryDetailWire, DeliveryWire, WebhookWire } from '#lib/contract/webhook-schemas';
import type { Delivery, ListedDelivery } from '#lib/webhooks/deliveries';
import { signedHeaders } from '#lib/webhooks/secrets';
import type { NewWebhook, Webhook } from '#lib/webhooks/webhooks';

/** Converts a webhook to the form that the API shows. */
export const webhookToWire = (webhook: Webhook): WebhookWire => ({
  id: webhook.id,
  url: webhook.url,
  description: webhook.description,
  events: webhook.events,
  enabled: webhook.disabledAt === null,
  disabled_because: webhook.disabledBecause,
  failing_since: webhook.failingSince?.toISOString() ?? null,
  previous_secret_until:
    webhook.previousUntil && webhook.previousUntil > new Date() ? webhook.previousUntil.toISOString() : null,
  created_at: webhook.createdAt.toISOString(),
});

export const newWebhookToWire = (webhook: NewWebhook): CreatedWebhookWire => ({
  ...webhookToWire(webhook),
  secret: webhook.secret,
});

export const deliveryToWire = (delivery: ListedDelivery): DeliveryWire => ({
  id: delivery.id,
  event: delivery.event,
  url: delivery.url,
  status: delivery.status,
  source_id: delivery.sourceId,
  next_try_at: delivery.dueAt?.toISOString() ?? null,
  created_at: delivery.createdAt.toISOString(),
  finished_at: delivery.finishedAt?.toISOString() ?? null,
  tries: delivery.tries,
});

export const deliveryDetailToWire = (delivery: Delivery, webhook: Webhook): DeliveryDetailWire => ({
  ...deliveryToWire(delivery),
  headers: { 'content-type': 'application/json', ...signedHeaders(webhook, delivery.id, delivery.body) },
  body: delivery.body,
});
