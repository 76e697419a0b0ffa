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

/** A mention in a prompt, as it was resolved at submission. */
export interface StoredMention {
  handle: string;
  id: string;
  kind: string;
  mediaIds: string[];
}

/** A media file that a request uses, in the role given by its field or mention. */
export interface StoredInput {
  role: 'first_frame' | 'last_frame' | 'reference' | 'mask' | 'source_video' | 'voice' | 'audio_reference';
  /** Null until the file is fetched. */
  mediaId: string | null;
  handle?: string;
  /** Further image of a mentioned character, which an engine that takes fewer images may omit. */
  spare?: true;
  remote?: RemoteInput;
}

/** A remote file that the worker fetches before it runs the request. */
export interface RemoteInput {
  address: string;
  kind: MediaKind;
  field: string;
  /** Position in a field that takes several files. */
  index?: number;
  /** Facts read from the file's headers for the price; the file that is fetched must match them. */
  measured?: { duration: number; width: number; height: number };
}

/** A job on a server of an engine, with the reference that the engine uses for it. */
export interface LeftJob {
  server: string;
  ref: { id: string; data?: Record<string, unknown> };
}

/** Which part of a recipe run a request is. `step` and `item` count from 0, `attempt` from 1. */
export interface RunPart {
  step: number;
  item: number;
  attempt: number;
}

/** A `RunPart` with the names shown to the user, as the prompt is the recipe's. Older rows have neither name. */
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
    /** Known fields of the body, as sent, with media as stored URLs. */
    body: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Resolved config, with defaults. */
    config: jsonb().$type<Record<string, unknown>>().notNull(),
    seed: bigint({ mode: 'number' }).notNull(),
    output: jsonb().$type<OutputSpec>().notNull(),
    mentions: jsonb().$type<StoredMention[]>().notNull().default([]),
    inputs: jsonb().$type<StoredInput[]>().notNull().default([]),
    gems: integer().notNull(),
    refunded: boolean().notNull().default(false),
    /** Queue that the request waits in: any server that serves the line may run it. */
    line: text().notNull().default('preview'),
    /** Sort key in the line: the time of acceptance, delayed for each request of the account that was live then. */
    turnAt: time('turn_at').notNull().default(now),
    /** Back-off after a failed attempt: no worker claims the request before this time. */
    notBefore: time('not_before'),
    /** Whether all remote media of the request's fields have been fetched. */
    fetched: boolean().notNull().default(true),
    /** Worker process that holds the request; null while it waits. */
    worker: uuid(),
    /** Fencing token, incremented by every claim: only the holder of the latest claim may write. */
    claim: integer().notNull().default(0),
    /** Number of attempts that the engine failed. */
    attempts: smallint().notNull().default(0),
    /** Number of attempts cut off by the end of their worker process or server. */
    interruptions: smallint().notNull().default(0),
    /** Server of the engine that runs the request, or ran it last. */
    server: text(),
    engineRef: jsonb('engine_ref').$type<LeftJob['ref']>(),
    /** How often the request moved to another server and left a job behind on the previous one. */
    moves: integer().notNull().default(0),
    progress: doublePrecision(),
    result: jsonb().$type<StoredResult>(),
    errorMessage: text('error_message'),
    /** Cause of the failure, shown to operators only. */
    failureCause: text('failure_cause'),
    /** Address, named by the submit, that gets a message about the end besides the account's own webhooks. */
    webhook: text(),
    /** Recipe run that the request belongs to. */
    runId: uuid('run_id'),
    runPart: jsonb('run_part').$type<StoredPart>(),
    favourite: boolean().notNull().default(false),
    /** Whether the result is kept: its media outlive the 30 days, and count as stored. */
    kept: boolean().notNull().default(false),
    /** When the user removed the request from the history, together with its media. */
    removedAt: time('removed_at'),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
    startedAt: time('started_at'),
    /** When the engine finished: the result has yet to be stored, but no longer takes a place on the server. */
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

/** Daily usage (UTC) of an account by key, architecture and type, maintained by triggers on `requests`. */
export const usage = pgTable(
  'usage',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Null for requests from the browser. */
    apiKeyId: uuid('api_key_id'),
    day: date().notNull(),
    architecture: text().notNull(),
    type: text({ enum: MEDIA_KINDS }).notNull(),
    requests: integer().notNull(),
    failed: integer().notNull(),
    /** Gems charged, without refunded ones. */
    gems: bigint({ mode: 'number' }).notNull(),
  },
  table => [
    unique('usage_once')
      .on(table.accountId, table.apiKeyId, table.day, table.architecture, table.type)
      .nullsNotDistinct(),
  ],
);

/** Idempotency keys, each with the request or refusal that answered its first submit. */
export const submissions = pgTable(
  'submissions',
  {
    /** Id of the API key; of the account for browser sessions, of the run for parts of recipe runs. */
    scope: uuid().notNull(),
    key: text().notNull(),
    requestId: uuid('request_id').notNull(),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [primaryKey({ columns: [table.scope, table.key] }), index('submissions_created').on(table.createdAt)],
);

/** Refused submits, kept to repeat the refusal to retries under the same key and to reads of the request id. */
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
    /** HTTP status of the answer; `body` has its exact bytes. */
    status: smallint().notNull(),
    body: text().notNull(),
    /** When the user removed it; its prompt is empty since then. */
    removedAt: time('removed_at'),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [
    index('refusals_account').on(table.accountId, table.createdAt),
    index('refusals_created').on(table.createdAt),
  ],
);

/** Latest preview frame of each request in progress. */
export const frames = pgTable('frames', {
  requestId: uuid('request_id').primaryKey(),
  contentType: text('content_type').notNull(),
  bytes: bytea().notNull(),
  updatedAt: time('updated_at').notNull().default(now),
});
