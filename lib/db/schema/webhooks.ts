import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, smallint, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#lib/db/schema/accounts';
import { time, now } from '#lib/db/schema/columns';
import type { LeftJob } from '#lib/db/schema/requests';
import { EVENTS, MESSAGES, NOTICES } from '#lib/events';

/** A mail that reports what a transaction did. */
export interface Mail {
  /** Act that the mail reports, such as `key.create`. */
  kind: string;
  to: string;
  subject: string;
  text: string;
}

/** Transactional outbox: work owed after a commit, one row for each consumer. */
export const outbox = pgTable(
  'outbox',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    consumer: text().notNull(),
    /** Id of the finished request, its run, the notice, the stored file, the deleted account or the mail. */
    subjectId: uuid('request_id').notNull(),
    /** Engine job to stop, copied here because the request may be deleted with its account. */
    job: jsonb().$type<LeftJob>(),
    /** Mail to send, copied here because the account may be deleted or change its address. */
    mail: jsonb().$type<Mail>(),
    /** Number of attempts started. */
    attempts: smallint().notNull().default(0),
    /** Time of the next attempt; during an attempt, the end of its lease, after which another worker may retry. */
    dueAt: time('due_at').notNull().default(now),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [
    index('outbox_due').on(table.consumer, table.dueAt),
    index('outbox_request').on(table.subjectId, table.consumer, table.id),
  ],
);

/** Webhook endpoints of accounts. Their secrets are derived from the rows and never stored. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Null for the one webhook of each account that represents the addresses named by its requests. */
    url: text(),
    description: text(),
    events: text({ enum: EVENTS }).array().notNull(),
    /** Incremented to rotate the secret. */
    secretVersion: integer('secret_version').notNull().default(1),
    /** Until when messages are also signed with the previous secret. */
    previousUntil: time('previous_until'),
    /** Start of the current series of failures; null when the last message was delivered. */
    failingSince: time('failing_since'),
    disabledAt: time('disabled_at'),
    /** Why it is disabled: by its owner, after a 410 response, or after failing for days. */
    disabledBecause: text('disabled_because', { enum: ['owner', 'gone', 'failing'] }),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [
    index('webhooks_account').on(table.accountId, table.id),
    uniqueIndex('webhooks_of_requests')
      .on(table.accountId)
      .where(sql`${table.url} is null`),
  ],
);

/** One attempt of a delivery. */
export interface DeliveryTry {
  /** ISO 8601 with milliseconds. */
  at: string;
  /** Milliseconds until the response headers arrived or the attempt failed. */
  ms: number;
  /** HTTP status; null when no response arrived, and `error` says why. */
  status: number | null;
  /** First bytes of the response body. */
  answer: string;
  error: string | null;
}

/** Webhook messages, delivered at least once; a message keeps its id when it is retried. */
export const deliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey(),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    accountId: uuid('account_id').notNull(),
    event: text({ enum: MESSAGES }).notNull(),
    /** Request or notice that the message reports. */
    sourceId: uuid('source_id'),
    /** Address of the message; updated to the webhook's current address with each attempt. */
    url: text().notNull(),
    /** Webhook, and server for addresses named by requests: messages wait only for others of their lane. */
    lane: text().notNull(),
    /** Exact body of the message, which its signature covers. */
    body: text().notNull(),
    status: text({ enum: ['pending', 'delivered', 'failed'] })
      .notNull()
      .default('pending'),
    tries: jsonb().$type<DeliveryTry[]>().notNull().default([]),
    /** Number of `tries` made before the message was last resent manually. */
    earlierTries: integer('earlier_tries').notNull().default(0),
    /** Time of the next attempt; during an attempt, the end of its lease. Null when no attempt is due any more. */
    dueAt: time('due_at').default(now),
    /** End of the lease of the worker that is sending the message; null when none is. */
    takenUntil: time('taken_until'),
    createdAt: time('created_at').notNull().default(now),
    finishedAt: time('finished_at'),
  },
  table => [
    unique('webhook_deliveries_once').on(table.webhookId, table.sourceId, table.event),
    index('webhook_deliveries_listed').on(table.webhookId, table.id),
    index('webhook_deliveries_due')
      .on(table.lane, table.dueAt)
      .where(sql`${table.status} = 'pending'`),
    index('webhook_deliveries_over').on(table.finishedAt),
  ],
);

/** Notices to accounts. */
export const notices = pgTable(
  'notices',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: text({ enum: NOTICES }).notNull(),
    data: jsonb().$type<Record<string, unknown>>().notNull(),
    /** When the notice was seen in the studio. */
    seenAt: time('seen_at'),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('notices_account').on(table.accountId, table.createdAt)],
);
