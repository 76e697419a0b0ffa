import { z } from 'zod';
import { EVENTS, MESSAGES, type Message } from '#lib/events';
import { listOf, request, timestamp } from '#lib/contract/schemas';
import { line, uuid, wholeNumber } from '#lib/contract/values';

const events = z.array(z.enum(EVENTS)).min(1, 'at least one');
const url = z.string('an https address of at most 2,000 characters').min(1).max(2_000);

export const webhook = z
  .object({
    id: uuid,
    url: z.url().nullable().meta({ description: 'Null for the one that stands for addresses named in Pomona-Webhook' }),
    description: z.string().nullable(),
    events: z.array(z.enum(EVENTS)).meta({
      description: 'Events it receives. Empty if url is null: those addresses receive the end of their request',
    }),
    enabled: z.boolean(),
    disabled_because: z.enum(['owner', 'gone', 'failing']).nullable().meta({
      description: 'owner: by its owner; gone: it answered 410; failing: it accepted no message for five days',
    }),
    failing_since: timestamp
      .nullable()
      .meta({ description: 'Since when it has accepted no message; null if it accepted the last' }),
    previous_secret_until: timestamp
      .nullable()
      .meta({ description: 'Until when messages are also signed with the previous secret' }),
    created_at: timestamp,
  })
  .meta({ id: 'Webhook' });

export const createdWebhook = webhook
  .extend({ secret: z.string().meta({ description: 'Signs the messages; shown only this once' }) })
  .meta({ id: 'CreatedWebhook' });

export const newWebhook = z
  .object({
    url,
    events: events.optional().meta({ description: 'All by default' }),
    description: line(100).nullish(),
  })
  .meta({ id: 'NewWebhook' });

export const patchWebhook = z
  .object({ url, events, description: line(100).nullable(), enabled: z.boolean() })
  .partial()
  .meta({ id: 'WebhookChange' });

export const rotateSecret = z
  .object({
    overlap_hours: wholeNumber(0, 168)
      .default(24)
      .meta({ description: 'Hours during which messages are also signed with the previous secret' }),
  })
  .prefault({});

export const deliveryStatus = z.enum(['pending', 'delivered', 'failed']);

export const delivery = z
  .object({
    id: uuid.meta({ description: 'Id of the message: the webhook-id header of every try' }),
    event: z.enum(MESSAGES),
    url: z.url(),
    status: deliveryStatus,
    source_id: uuid.nullable().meta({ description: 'The request or notice that it is about' }),
    next_try_at: timestamp.nullable(),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
    tries: z.array(
      z.object({
        at: timestamp,
        ms: z.int().min(0).meta({ description: 'Milliseconds until the answer began' }),
        status: z.int().nullable().meta({ description: 'HTTP status; null if there was no answer' }),
        answer: z.string().meta({ description: 'First 1,000 bytes of the answer' }),
        error: z.string().nullable().meta({ description: 'Why there was no answer' }),
      }),
    ),
  })
  .meta({ id: 'Delivery' });

export const deliveryDetail = delivery
  .extend({
    headers: z.record(z.string(), z.string()).meta({ description: 'As they would be sent now' }),
    body: z.string().meta({ description: 'The exact text' }),
  })
  .meta({ id: 'DeliveryDetail' });

export const webhookList = z.object({ data: z.array(webhook) }).meta({ id: 'WebhookList' });
export const deliveryList = listOf(delivery, 'DeliveryList');

const MESSAGE_DATA = {
  'request.completed': request,
  'request.failed': request,
  'request.cancelled': request,
  'balance.low': z.object({ balance: z.int(), threshold: z.int() }),
  'media.expiring': z.object({
    count: z.int().min(1),
    first_expires_at: timestamp,
    expires_before: timestamp,
    request_ids: z.array(uuid).meta({ description: 'Ids of those that expire first; at most 100' }),
  }),
  'architecture.retired': z.object({ architecture: z.string(), name: z.string() }),
  'webhook.test': z.object({ webhook_id: uuid, message: z.string() }),
} as const satisfies Record<Message, z.ZodObject>;

/** Returns the schema of a message of the given type. */
export const message = (type: Message) =>
  z.object({ type: z.literal(type), timestamp, data: MESSAGE_DATA[type] as z.ZodObject });

/** A message as a webhook receives it, by type. */
export type MessageWire = {
  [M in Message]: { type: M; timestamp: string; data: z.infer<(typeof MESSAGE_DATA)[M]> };
}[Message];
export type WebhookWire = z.infer<typeof webhook>;
export type CreatedWebhookWire = z.infer<typeof createdWebhook>;
export type DeliveryWire = z.infer<typeof delivery>;
export type DeliveryDetailWire = z.infer<typeof deliveryDetail>;
