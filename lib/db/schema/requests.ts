import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { accounts } from '#lib/db/schema/accounts';
import { bytea, time, now } from '#lib/db/schema/columns';
import type { StoredResult } from '#lib/db/schema/media';
import { MEDIA_KINDS, type MediaKind } from '#lib/media-kind';
import type { OutputSpec } from '#lib/output-spec';
import { LIVE_LIST, STATUSES } from '#lib/status';

/** Frozen meaning of one mention in a prompt. */
export interface StoredMention {
  handle: string;
  id: string;
  kind: string;
  mediaIds: string[];
}

/** A media file that a request uses, in the role that its field or mention gives it. */
export interface StoredInput {
  role: 'first_frame' | 'last_frame' | 'reference' | 'mask' | 'source_video' | 'voice' | 'audio_reference';
  /** Null until the file was fetched. */
  mediaId: string | null;
  handle?: string;
  /** A further picture of a mentioned character: an engine that takes fewer may go without. */
  spare?: true;
  remote?: RemoteInput;
}

/** A file that is fetched as the first step of the run. */
export interface RemoteInput {
  address: string;
  kind: MediaKind;
  field: string;
  /** Its place in a field that takes several. */
  index?: number;
  /** What was read from its headers before the price was made: the file must be that one. */
  measured?: { duration: number; width: number; height: number };
}

/** A job at a server of an engine, and what it is called there. */
export interface LeftJob {
  server: string;
  ref: { id: string; data?: Record<string, unknown> };
}

/** Which part of a run a request is: counted from 0, tries from 1. */
export interface RunPart {
  step: number;
  item: number;
  attempt: number;
}

/** The same with what a creator knows it by: its prompt is the recipe's. Absent of what was made before there were titles. */
export interface StoredPart extends RunPart {
  recipe?: string;
  title?: string;
}

export const requests = pgTable(
  'requests',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    apiKeyId: uuid('api_key_id'),
    status: text({ enum: STATUSES }).notNull(),
    architecture: text().notNull(),
    modelId: text('model_id').notNull(),
    type: text({ enum: MEDIA_KINDS }).notNull(),
    engine: text().notNull(),
    prompt: text().notNull(),
    /** The body's own fields, as sent (media as stored URLs). */
    body: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The resolved config. */
    config: jsonb().$type<Record<string, unknown>>().notNull(),
    seed: bigint({ mode: 'number' }).notNull(),
    output: jsonb().$type<OutputSpec>().notNull(),
    mentions: jsonb().$type<StoredMention[]>().notNull().default([]),
    inputs: jsonb().$type<StoredInput[]>().notNull().default([]),
    gems: integer().notNull(),
    refunded: boolean().notNull().default(false),
    /** The queue that it waits in: whatever serves the line may take it. */
    line: text().notNull().default('preview'),
    /** Its place in the line: when it was accepted, later the more of the account's were live then. */
    turnAt: time('turn_at').notNull().default(now),
    /** Until then nobody takes it, after an attempt that failed. */
    notBefore: time('not_before'),
    /** False while media that its fields name by address have still to be fetched. */
    fetched: boolean().notNull().default(true),
    /** The worker process that holds it; null while it waits. */
    worker: uuid(),
    /** Fencing token: raised by every claim; only the holder of the last one may write. */
    claim: integer().notNull().default(0),
    /** Attempts that the engine failed. */
    attempts: smallint().notNull().default(0),
    /** Attempts that ended with the process or the server that made them. */
    interruptions: smallint().notNull().default(0),
    /** Which server of its engine has it, or had it last. */
    server: text(),
    engineRef: jsonb('engine_ref').$type<LeftJob['ref']>(),
    /** How often it went on at another server and left a job behind. */
    moves: integer().notNull().default(0),
    progress: doublePrecision(),
    result: jsonb().$type<StoredResult>(),
    errorMessage: text('error_message'),
    /** What made it fail, for the operator alone. */
    failureCause: text('failure_cause'),
    /** Where its end is told beside the account's own webhooks, as the submit said. */
    webhook: text(),
    /** The run of a recipe that it is a part of, and which part. */
    runId: uuid('run_id'),
    runPart: jsonb('run_part').$type<StoredPart>(),
    favourite: boolean().notNull().default(false),
    /** Its media outlive the 30 days, and count as stored. */
    kept: boolean().notNull().default(false),
    /** When the account took it out of its history, its media included. */
    removedAt: time('removed_at'),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
    startedAt: time('started_at'),
    /** When its engine was through with it: what it made has still to be stored, which takes no place of the server. */
    madeAt: time('made_at'),
    finishedAt: time('finished_at'),
  },
  table => [
    index('requests_account').on(table.accountId, table.id),
    index('requests_waiting')
      .on(table.line, table.turnAt, table.id)
      .where(sql`${table.status} in (${sql.raw(LIVE_LIST)}) and ${table.worker} is null and ${table.fetched}`),
    index('requests_unfetched')
      .on(table.turnAt, table.id)
      .where(sql`${table.status} in (${sql.raw(LIVE_LIST)}) and not ${table.fetched}`),
    index('requests_held')
      .on(table.worker, table.server)
      .where(sql`${table.status} in (${sql.raw(LIVE_LIST)}) and ${table.worker} is not null`),
    index('requests_finished')
      .on(table.architecture, table.modelId, table.finishedAt)
      .where(sql`${table.status} = 'completed'`),
    index('requests_favourite')
      .on(table.accountId, table.id)
      .where(sql`${table.favourite}`),
    index('requests_failed')
      .on(table.id)
      .where(sql`${table.status} = 'failed'`),
    check('requests_gems_positive', sql`${table.gems} >= 1`),
  ],
);

/** What an account used in a day (UTC), by key, architecture and type. Triggers of `requests` count it, whoever writes there. */
export const usage = pgTable(
  'usage',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Null for what was asked for in the browser. */
    apiKeyId: uuid('api_key_id'),
    day: date().notNull(),
    architecture: text().notNull(),
    type: text({ enum: MEDIA_KINDS }).notNull(),
    requests: integer().notNull(),
    failed: integer().notNull(),
    /** Without what was refunded. */
    gems: bigint({ mode: 'number' }).notNull(),
  },
  table => [
    unique('usage_once')
      .on(table.accountId, table.apiKeyId, table.day, table.architecture, table.type)
      .nullsNotDistinct(),
  ],
);

/** Idempotency: the request that the first submit under a key made, or the refusal that it was answered with. */
export const submissions = pgTable(
  'submissions',
  {
    /** The API key, or the account for browser sessions. */
    scope: uuid().notNull(),
    key: text().notNull(),
    requestId: uuid('request_id').notNull(),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [primaryKey({ columns: [table.scope, table.key] }), index('submissions_created').on(table.createdAt)],
);

/** Submits that were refused and say so again: under their key, and to whoever asks for their request id. */
export const refusals = pgTable(
  'refusals',
  {
    requestId: uuid('request_id').primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    architecture: text().notNull(),
    modelId: text('model_id').notNull(),
    type: text({ enum: MEDIA_KINDS }).notNull(),
    prompt: text().notNull(),
    /** The HTTP status and the bytes it was answered with. */
    status: smallint().notNull(),
    body: text().notNull(),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [
    index('refusals_account').on(table.accountId, table.createdAt),
    index('refusals_created').on(table.createdAt),
  ],
);

/** Pictures of requests in the making: the last one that the engine showed. */
export const frames = pgTable('frames', {
  requestId: uuid('request_id').primaryKey(),
  contentType: text('content_type').notNull(),
  bytes: bytea().notNull(),
  updatedAt: time('updated_at').notNull().default(now),
});
