import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, smallint, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#lib/db/schema/accounts';
import { time, now } from '#lib/db/schema/columns';
import type { LeftJob } from '#lib/db/schema/requests';
import { EVENTS, MESSAGES, NOTICES } from '#lib/events';

/** A mail that tells of what a transaction did. */
export interface Mail {
  /** What it tells of, such as `key.create`. */
  kind: string;
  to: string;
  subject: string;
  text: string;
}

/** What is still to be done because a request became final, a notice was raised or a file was stored: one row for each consumer that has something to do. */
export const outbox = pgTable(
  'outbox',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    consumer: text().notNull(),
    /** The request that ended; its run; the notice that was raised; the file that was stored; the account that is deleted; the mail. */
    subjectId: uuid('request_id').notNull(),
    /** What is to be stopped, and where: the request may be gone with its account. */
    job: jsonb().$type<LeftJob>(),
    /** What is to be sent: the account may be gone, or have another address. */
    mail: jsonb().$type<Mail>(),
    /** Tries that were begun. */
    attempts: smallint().notNull().default(0),
    /** When it may be tried (again); while it is tried, when another worker may take it for lost. */
    dueAt: time('due_at').notNull().default(now),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [
    index('outbox_due').on(table.consumer, table.dueAt),
    index('outbox_request').on(table.subjectId, table.consumer, table.id),
  ],
);

/** Addresses that an account wants to be told at. Their secrets are derived from their rows, and stored nowhere. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Null for the one of each account that stands for the addresses that its requests name. */
    url: text(),
    description: text(),
    events: text({ enum: EVENTS }).array().notNull(),
    /** Raised to get another secret. */
    secretVersion: integer('secret_version').notNull().default(1),
    /** Until when messages are signed with the secret before, too. */
    previousUntil: time('previous_until'),
    /** Since when no message was taken; null when the last one was. */
    failingSince: time('failing_since'),
    disabledAt: time('disabled_at'),
    /** By its owner, by its own 410, or since it failed for days. */
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

/** One try of a delivery. */
export interface DeliveryTry {
  /** ISO 8601, milliseconds. */
  at: string;
  /** Until the answer began, or nothing was waited for any more. */
  ms: number;
  /** Null when no answer came; `error` says why. */
  status: number | null;
  /** Its beginning. */
  answer: string;
  error: string | null;
}

/** Messages to webhooks. Each is sent at least once, under its id. */
export const deliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey(),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    accountId: uuid('account_id').notNull(),
    event: text({ enum: MESSAGES }).notNull(),
    /** The request or notice that it tells of. */
    sourceId: uuid('source_id'),
    /** Where it went first. */
    url: text().notNull(),
    /** Webhook and server that it goes to: messages of a lane wait for each other alone. */
    lane: text().notNull(),
    /** The very bytes. */
    body: text().notNull(),
    status: text({ enum: ['pending', 'delivered', 'failed'] })
      .notNull()
      .default('pending'),
    tries: jsonb().$type<DeliveryTry[]>().notNull().default([]),
    /** How many of them were made before it was last sent again by hand. */
    earlierTries: integer('earlier_tries').notNull().default(0),
    /** When it may be tried (again); while it is tried, when another worker may take it for lost. Null once it is over. */
    dueAt: time('due_at').default(now),
    /** Until when it is left to whoever tries it; null when nobody does. */
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

/** What an account is told by itself. */
export const notices = pgTable(
  'notices',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: text({ enum: NOTICES }).notNull(),
    data: jsonb().$type<Record<string, unknown>>().notNull(),
    /** When it was looked at in the studio. */
    seenAt: time('seen_at'),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('notices_account').on(table.accountId, table.createdAt)],
);
