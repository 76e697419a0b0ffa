import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { EVENTS, NOTICES, TEST_EVENT, type Mute } from '#lib/events';
import type { OutputSpec } from '#lib/output-spec';
import { LIVE_LIST, RUN_STATUSES, STATUSES } from '#lib/status';
import { SCOPES } from '#lib/scopes';
import type { Registry } from 'prom-client';
import { MEDIA_KINDS, type MediaKind } from '#lib/media-kind';

/** As a registry gives them. */
export type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const now = sql`date_trunc('milliseconds', now())`;

export interface AutoTopUp {
  threshold: number;
  gems: number;
  /** Most gems bought automatically in a calendar month (UTC). */
  monthlyLimit: number;
}

/** Who pays and owns. Its row lock serialises the account's submits. */
export const accounts = pgTable(
  'accounts',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    /** Since when it is known that the holder reads its mail; null: nobody has shown it. */
    emailVerifiedAt: time('email_verified_at'),
    name: text(),
    operator: boolean().notNull().default(false),
    /** The sum of the account's ledger (I2); written only together with a ledger row. */
    balance: bigint({ mode: 'number' }).notNull().default(0),
    inFlightLimit: integer('in_flight_limit').notNull().default(20),
    mayGenerate: boolean('may_generate').notNull().default(true),
    mayCreateCast: boolean('may_create_cast').notNull().default(true),
    disabledAt: time('disabled_at'),
    /** When an operator last changed the in-flight limit: older requests were accepted under another one. */
    limitedAt: time('limited_at'),
    /** Most gems that `manual` top-ups may book in a calendar month (UTC). */
    topUpLimit: bigint('top_up_limit', { mode: 'number' }).notNull().default(0),
    /** A charge that leaves fewer gems raises a notice; null: none does. */
    lowBalance: bigint('low_balance', { mode: 'number' }).default(100),
    /** Notices that are switched off. */
    mutes: text().array().$type<Mute[]>().notNull().default([]),
    /** Null: auto top-up is off. */
    autoTopUp: jsonb('auto_top_up').$type<AutoTopUp>(),
    /** The account's customer and saved payment method at Stripe. */
    stripeCustomer: text('stripe_customer'),
    stripeMethod: jsonb('stripe_method').$type<{ id: string; label: string }>(),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [
    uniqueIndex('accounts_email').on(sql`lower(${table.email})`),
    check('accounts_balance_not_negative', sql`${table.balance} >= 0`),
  ],
);

/** An app that a person let act for them. Its name is the key's, and what the app says of itself. */
export interface ConnectedApp {
  clientId: string;
  /** Where it gets what it is let in with: a host, or a scheme of its own on the person's machine. */
  returnsTo: string;
}

export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** The app that acts by it with tokens, and nobody has the key; null for a key that somebody has. */
    app: jsonb().$type<ConnectedApp>(),
    /** SHA-256 of the whole key; the key itself is never stored. */
    hash: bytea().notNull().unique(),
    lastFour: text('last_four').notNull(),
    /** What it may do; null: everything, whatever comes. */
    scopes: text({ enum: SCOPES }).array(),
    expiresAt: time('expires_at'),
    /** Most gems that the key may spend in a calendar month (UTC). */
    monthlyBudget: bigint('monthly_budget', { mode: 'number' }),
    /** Most requests of its own that may be live at a time, within the account's. */
    inFlightLimit: integer('in_flight_limit'),
    revokedAt: time('revoked_at'),
    lastUsedAt: time('last_used_at'),
    /** Network address that it was used from then. */
    lastAddress: text('last_address'),
    /** What it was before it was rolled, and until when that goes on working. */
    previousHash: bytea('previous_hash').unique(),
    previousLastFour: text('previous_last_four'),
    previousUntil: time('previous_until'),
    previousUsedAt: time('previous_used_at'),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('api_keys_account').on(table.accountId)],
);

/** What the authorization server keeps: clients, questions, codes and tokens, by the hash of what its holder shows. */
export const oauthRecords = pgTable(
  'oauth_records',
  {
    model: text().notNull(),
    hash: bytea().notNull(),
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The key of the connection that a code or token belongs to. */
    keyId: uuid('key_id').references(() => apiKeys.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull().default(now),
    /** Null for clients, which live as long as a connection of theirs. */
    expiresAt: time('expires_at'),
  },
  table => [
    primaryKey({ columns: [table.model, table.hash] }),
    index('oauth_records_key').on(table.keyId),
    index('oauth_records_expiring').on(table.expiresAt),
  ],
);

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

/** One step of a recipe: a request for each item, with the body that its templates make. */
export interface StoredStep {
  id: string;
  name: string;
  architecture: string;
  each?: string | string[] | undefined;
  body: Record<string, unknown>;
}

/** Runs of recipes. What a run does is copied from the recipe when it starts. */
export const recipeRuns = pgTable(
  'recipe_runs',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    apiKeyId: uuid('api_key_id'),
    recipe: text().notNull(),
    name: text().notNull(),
    /** As sent, media as stored URLs. */
    inputs: jsonb().$type<Record<string, unknown>>().notNull(),
    /** What templates put in: the inputs with defaults, choices in the words that the recipe has for them. */
    values: jsonb().$type<Record<string, unknown>>().notNull(),
    steps: jsonb().$type<StoredStep[]>().notNull(),
    /** Ids of the steps whose outputs are the result. */
    results: jsonb().$type<string[]>().notNull(),
    /** Of each step the price of each request, as it was when the run started. */
    prices: jsonb().$type<number[][]>().notNull(),
    status: text({ enum: RUN_STATUSES }).notNull().default('running'),
    /** How often it was started: 1, and one more with each retry. */
    attempt: smallint().notNull().default(1),
    /** Why a step could not be submitted. */
    error: jsonb().$type<{ code: string; message: string; step: number }>(),
    /** Where its idempotency key holds. */
    scope: uuid().notNull(),
    key: text(),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
  },
  table => [
    index('recipe_runs_account').on(table.accountId, table.id),
    uniqueIndex('recipe_runs_key')
      .on(table.scope, table.key)
      .where(sql`${table.key} is not null`),
  ],
);

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
    runPart: jsonb('run_part').$type<RunPart>(),
    favourite: boolean().notNull().default(false),
    /** Its media outlive the 30 days, and count as stored. */
    kept: boolean().notNull().default(false),
    /** When the account took it out of its history, its media included. */
    removedAt: time('removed_at'),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
    startedAt: time('started_at'),
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

/** What stands for a file where it is shown small. */
export interface SmallForms {
  /** Pictures first and the smallest of them at the front. */
  renditions?: StoredRendition[];
  /** The course of a sound, 0 to 100. */
  peaks?: number[];
}

/** Facts of an output; its URL and expiry come from the media row. */
export interface StoredResult extends SmallForms {
  mediaId: string;
  key: string;
  contentType: string;
  bytes: number;
  width: number;
  height: number;
  duration?: number;
  nsfw: boolean;
  /** ISO 8601, milliseconds. */
  expiresAt: string;
  /** What version 0.1 kept instead of the two. */
  preview?: { key: string } | { peaks: number[] };
}

/** A smaller form of a file, with a media row of its own. */
export interface StoredRendition {
  mediaId: string;
  key: string;
  contentType: string;
  bytes: number;
  width: number;
  height: number;
}

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

/** What is still to be done because a request became final, a notice was raised or a file was stored: one row for each consumer that has something to do. */
export const outbox = pgTable(
  'outbox',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    consumer: text().notNull(),
    /** The request that ended; its run; the notice that was raised; the file that was stored. */
    subjectId: uuid('request_id').notNull(),
    /** What is to be stopped, and where: the request may be gone with its account. */
    job: jsonb().$type<LeftJob>(),
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
    event: text({ enum: [...EVENTS, TEST_EVENT] }).notNull(),
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
    /** When it may be tried (again); while it is tried, when another worker may take it for lost. Null once it is over. */
    dueAt: time('due_at').default(now),
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

/** Append-only, which a trigger enforces. `balance_after` chains an account's rows in the order of `id`. */
export const ledger = pgTable(
  'ledger',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Without a foreign key: the rows stay when the account is deleted, and then tell of nobody. */
    accountId: uuid('account_id').notNull(),
    kind: text({ enum: ['opening', 'grant', 'charge', 'refund', 'top_up', 'reversal'] }).notNull(),
    /** Signed: negative for what is taken. */
    gems: bigint({ mode: 'number' }).notNull(),
    balanceAfter: bigint('balance_after', { mode: 'number' }).notNull(),
    requestId: uuid('request_id'),
    apiKeyId: uuid('api_key_id'),
    /** The payment that a top-up came from, or whose money went back. */
    paymentId: uuid('payment_id'),
    reason: text(),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [
    unique('ledger_once_per_request').on(table.requestId, table.kind),
    // booked once, whatever is announced how often
    uniqueIndex('ledger_top_up')
      .on(table.paymentId)
      .where(sql`${table.kind} = 'top_up' and ${table.paymentId} is not null`),
    index('ledger_reversal')
      .on(table.paymentId)
      .where(sql`${table.kind} = 'reversal'`),
    index('ledger_account').on(table.accountId, table.id),
    index('ledger_api_key')
      .on(table.apiKeyId, table.createdAt)
      .where(sql`${table.apiKeyId} is not null`),
    check('ledger_balance_not_negative', sql`${table.balanceAfter} >= 0`),
  ],
);

/** Every stored file has a row and every row its file (I10). */
export const media = pgTable(
  'media',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['result', 'preview', 'input', 'upload', 'entity'] }).notNull(),
    /** Storage key; also the path of its URL. */
    key: text().notNull().unique(),
    contentType: text('content_type').notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    width: integer(),
    height: integer(),
    /** Seconds. */
    duration: doublePrecision(),
    sha256: bytea(),
    /** The input that it was turned into when it was first used, where it could not be used as it is. */
    remadeId: uuid('remade_id'),
    /** Of an upload, or a file of a character or reference: null until they are made, an empty list where none can be. */
    forms: jsonb().$type<SmallForms>(),
    requestId: uuid('request_id'),
    createdAt: time('created_at').notNull().default(now),
    /** Null: lives as long as the entity that owns it. */
    expiresAt: time('expires_at'),
    /** Set when the file is gone; the row stays and its URL answers 410. */
    deletedAt: time('deleted_at'),
  },
  table => [
    // what an account keeps, summed up without a look at its rows
    index('media_kept')
      .on(table.accountId, table.expiresAt, table.bytes)
      .where(sql`${table.deletedAt} is null and ${table.kind} in ('upload', 'input', 'entity')`),
    index('media_expiring')
      .on(table.expiresAt)
      .where(sql`${table.deletedAt} is null`),
    uniqueIndex('media_input_content')
      .on(table.accountId, table.sha256)
      .where(sql`${table.kind} = 'input' and ${table.deletedAt} is null`),
    index('media_request').on(table.requestId),
  ],
);

/** Upload tickets. The file's own row in `media` appears with it, when the signed PUT succeeded. */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    key: text().notNull().unique(),
    /** As declared, so that the PUT can be held to it; the stored type is the one that the key stands for. */
    contentType: text('content_type').notNull(),
    /** As the client calls it. */
    fileName: text('file_name'),
    maxBytes: bigint('max_bytes', { mode: 'number' }).notNull(),
    putExpiresAt: time('put_expires_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    readyAt: time('ready_at'),
    bytes: bigint({ mode: 'number' }),
    mediaId: uuid('media_id').references(() => media.id, { onDelete: 'set null' }),
    deletedAt: time('deleted_at'),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [
    index('uploads_account')
      .on(table.accountId, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('uploads_expiring').on(table.expiresAt),
  ],
);

/** Every live handle of the deployment, over characters and references: the row is what makes a handle taken. */
export const handles = pgTable('handles', {
  handle: text().primaryKey(),
  accountId: uuid('account_id')
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  /** The character or reference that it names. */
  entityId: uuid('entity_id').notNull().unique(),
});

export const characters = pgTable(
  'characters',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    handle: text()
      .notNull()
      .unique()
      .references(() => handles.handle),
    name: text().notNull(),
    description: text(),
    imageId: uuid('image_id')
      .notNull()
      .references(() => media.id),
    voiceId: uuid('voice_id').references(() => media.id),
    /** Copies that others are given while it is public. */
    publicImageId: uuid('public_image_id').references(() => media.id),
    publicVoiceId: uuid('public_voice_id').references(() => media.id),
    visibility: text({ enum: ['private', 'public'] })
      .notNull()
      .default('private'),
    /** Raised by every change: who read an older one does not write over it. */
    revision: integer().notNull().default(0),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('characters_account').on(table.accountId, table.id)],
);

/** The pictures of a character beside its portrait, in their order. */
export const characterPictures = pgTable(
  'character_pictures',
  {
    characterId: uuid('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
    position: smallint().notNull(),
    mediaId: uuid('media_id')
      .notNull()
      .references(() => media.id),
    /** The copy that others are given while the character is public. */
    publicMediaId: uuid('public_media_id').references(() => media.id),
  },
  table => [primaryKey({ columns: [table.characterId, table.position] })],
);

/** Saved objects, locations, poses, outfits and sounds; `references` is a word of SQL. */
export const references = pgTable(
  'cast_references',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    handle: text()
      .notNull()
      .unique()
      .references(() => handles.handle),
    name: text().notNull(),
    kind: text({ enum: ['object', 'location', 'pose', 'outfit', 'audio'] }).notNull(),
    description: text(),
    /** The image, or the clip when the kind is `audio`. */
    mediaId: uuid('media_id')
      .notNull()
      .references(() => media.id),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('cast_references_account').on(table.accountId, table.id)],
);

/** What an account made, put together by hand: a request can be in any number of them. */
export const collections = pgTable(
  'collections',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    notes: text(),
    /** The request whose picture stands for it; null for the first one that is in it. */
    coverId: uuid('cover_id').references(() => requests.id, { onDelete: 'set null' }),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
  },
  table => [index('collections_account').on(table.accountId, table.id)],
);

export const collectionItems = pgTable(
  'collection_items',
  {
    collectionId: uuid('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    requestId: uuid('request_id')
      .notNull()
      .references(() => requests.id, { onDelete: 'cascade' }),
    /** Lowest first; one that is put between two takes a place between theirs. */
    place: doublePrecision().notNull(),
  },
  table => [
    primaryKey({ columns: [table.collectionId, table.requestId] }),
    index('collection_items_request').on(table.requestId),
  ],
);

/** Words that accounts put on their requests, to find them again. */
export const requestTags = pgTable(
  'request_tags',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** In lowercase. */
    tag: text().notNull(),
    requestId: uuid('request_id')
      .notNull()
      .references(() => requests.id, { onDelete: 'cascade' }),
  },
  table => [
    primaryKey({ columns: [table.accountId, table.tag, table.requestId] }),
    index('request_tags_request').on(table.requestId),
  ],
);

/** Handles by which requests mention characters and references. A trigger of `requests` writes them, whoever writes there. */
export const requestMentions = pgTable(
  'request_mentions',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    handle: text().notNull(),
    requestId: uuid('request_id').notNull(),
  },
  // in the order of a history, so that a page of it is read and no more
  table => [primaryKey({ columns: [table.accountId, table.handle, table.requestId] })],
);

/** The result that shows what an architecture makes, as an operator chose it. */
export const examples = pgTable(
  'examples',
  {
    architecture: text().primaryKey(),
    requestId: uuid('request_id')
      .notNull()
      .references(() => requests.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('examples_request').on(table.requestId)],
);

/** Pages of a result or a collection for whoever has their address. */
export const shares = pgTable(
  'shares',
  {
    id: uuid().primaryKey(),
    /** What its address ends on: 128 random bits. It is shown to its owner again and again, so it is stored. */
    token: text().notNull().unique(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Exactly one of the two. */
    requestId: uuid('request_id').references(() => requests.id, { onDelete: 'cascade' }),
    collectionId: uuid('collection_id').references(() => collections.id, { onDelete: 'cascade' }),
    /** Whether prompt and settings are shown, and may be taken over. */
    settings: boolean().notNull(),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [
    index('shares_account').on(table.accountId, table.id),
    index('shares_request').on(table.requestId),
    index('shares_collection').on(table.collectionId),
    check('shares_one_thing', sql`num_nonnulls(${table.requestId}, ${table.collectionId}) = 1`),
  ],
);

/** Settings that an account saved under a name, and parts of prompts (styles), which fit every model. */
export const presets = pgTable(
  'presets',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** Null for a style. */
    architecture: text(),
    /** A generate body; of a style its prompt alone. */
    body: jsonb().$type<Record<string, unknown>>().notNull(),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('presets_account').on(table.accountId, table.id)],
);

/** Worker processes that said they live. */
export const workers = pgTable('workers', {
  id: uuid().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  seenAt: time('seen_at').notNull().default(now),
});

/** The servers of every engine, as the workers last found them. Their places decide the state at acceptance. */
export const servers = pgTable(
  'servers',
  {
    /** Engine and server: `preview/…`. */
    id: text().primaryKey(),
    engine: text().notNull(),
    /** The worker process that it lives in and ends with; null for a server of its own. */
    worker: uuid().references(() => workers.id, { onDelete: 'cascade' }),
    /** Generations that it takes at a time. */
    places: integer().notNull(),
    ok: boolean().notNull().default(true),
    /** The line whose model it has in memory, as far as Pomona knows, and since when. */
    loaded: text(),
    loadedAt: time('loaded_at'),
    /** Lines that its engine serves and it cannot, for what it lacks. */
    lacks: text().array().notNull().default([]),
    /** What that is, by name. */
    missing: jsonb().$type<{ architecture: string; modelId: string; names: string[] }[]>().notNull().default([]),
    /** Models that it says it has. */
    models: text().array().notNull().default([]),
    version: text(),
    detail: text(),
    /** When it last answered a probe; what it lacks is known from then. Null for one that never did. */
    answeredAt: time('answered_at'),
    /** When it was last asked. */
    checkedAt: time('checked_at').notNull().default(now),
  },
  table => [index('servers_engine').on(table.engine)],
);

/** When each thing that is done from time to time is due, so that one process does it. */
export const schedules = pgTable('schedules', {
  name: text().primaryKey(),
  dueAt: time('due_at').notNull().default(now),
});

/** What is needed to check that a passkey signed something. */
export interface StoredPasskey {
  /** COSE, in base64url. */
  publicKey: string;
  /** Of signatures, where the authenticator counts them. */
  counter: number;
  /** How the browser reaches it. */
  transports: string[];
}

/** The ways into an account: its password, its passkeys, and its identities elsewhere. */
export const signIns = pgTable(
  'sign_ins',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    provider: text({ enum: ['password', 'passkey', 'github', 'google', 'oidc'] }).notNull(),
    /** The provider's own id of the person; the account's id for a password, the credential's for a passkey. */
    subject: text().notNull(),
    /** What its holder calls a passkey. */
    name: text(),
    passkey: jsonb().$type<StoredPasskey>(),
    /** argon2id, with its parameters and salt. */
    passwordHash: text('password_hash'),
    createdAt: time('created_at').notNull().default(now),
    lastUsedAt: time('last_used_at'),
  },
  table => [unique('sign_ins_once').on(table.provider, table.subject), index('sign_ins_account').on(table.accountId)],
);

/** The second step after a password. What its codes are made of is derived from `id`, and stored nowhere. */
export const secondSteps = pgTable('second_steps', {
  accountId: uuid('account_id')
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  id: uuid().notNull(),
  /** Null until a first code showed that the app has it: it is not asked for before. */
  confirmedAt: time('confirmed_at'),
  /** The time step of the latest code of the app that was taken. */
  lastCode: bigint('last_code', { mode: 'number' }),
  /** Recovery codes: which set of them holds, and which of these are not used up. */
  recoveryEdition: integer('recovery_edition').notNull().default(0),
  recoveryLeft: integer('recovery_left').array().notNull().default([]),
});

/** Browsers that are signed in, for as long as they have a row here: a sealed cookie cannot be called back. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** As the browser named itself, and where it was, when it signed in. */
    userAgent: text('user_agent').notNull(),
    address: text().notNull(),
    createdAt: time('created_at').notNull().default(now),
    /** To the minute. */
    lastUsedAt: time('last_used_at').notNull().default(now),
    /** When the cookie ends by itself. */
    expiresAt: time('expires_at').notNull(),
  },
  table => [index('sessions_account').on(table.accountId), index('sessions_over').on(table.expiresAt)],
);

/** What works once and for a while: links, and challenges that a passkey signs. Only the hash of their token is kept. */
export const secretLinks = pgTable(
  'secret_links',
  {
    id: uuid().primaryKey(),
    kind: text({ enum: ['invite', 'password_reset', 'email', 'passkey_add', 'passkey_use'] }).notNull(),
    tokenHash: bytea('token_hash').notNull().unique(),
    /** Whose it is; null for an invitation, and for a passkey that is about to say so. */
    accountId: uuid('account_id').references(() => accounts.id, { onDelete: 'cascade' }),
    /** Who is invited, null for whoever has the link; the address that the account takes. */
    email: text(),
    /** It was mailed to that address, or to the account's: whoever has it reads that mail. */
    mailed: boolean().notNull().default(false),
    expiresAt: time('expires_at').notNull(),
    usedAt: time('used_at'),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('secret_links_kind').on(table.kind, table.id)],
);

/** Money for gems. Rows outlive their account: they are the deployment's books. */
export const payments = pgTable(
  'payments',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id').references(() => accounts.id, { onDelete: 'set null' }),
    provider: text({ enum: ['manual', 'stripe'] }).notNull(),
    purpose: text({ enum: ['top_up', 'auto_top_up'] }).notNull(),
    status: text({ enum: ['open', 'succeeded', 'failed'] })
      .notNull()
      .default('open'),
    gems: bigint({ mode: 'number' }).notNull(),
    /** In the smallest unit of the currency; null on a statement. */
    amount: bigint({ mode: 'number' }),
    currency: text(),
    /** What the provider calls it. */
    providerRef: text('provider_ref'),
    error: text(),
    /** Money that went back, in the smallest unit of the currency, and the gems that it had bought. */
    amountReturned: bigint('amount_returned', { mode: 'number' }).notNull().default(0),
    gemsReturned: bigint('gems_returned', { mode: 'number' }).notNull().default(0),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
  },
  table => [
    index('payments_account').on(table.accountId, table.id),
    unique('payments_provider_ref').on(table.provider, table.providerRef),
    uniqueIndex('payments_one_open_auto')
      .on(table.accountId)
      .where(sql`${table.status} = 'open' and ${table.purpose} = 'auto_top_up'`),
    check('payments_gems_positive', sql`${table.gems} >= 1`),
  ],
);

/** Money that went back to whoever paid: refunds, and disputes until they are won. */
export const reversals = pgTable(
  'reversals',
  {
    /** What Stripe calls the charge that was refunded, the refund that failed, or the dispute. */
    ref: text().primaryKey(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['refund', 'failed_refund', 'dispute'] }).notNull(),
    /** Of a refund: all of the charge that was refunded at the time. In the smallest unit of the currency. */
    amount: bigint({ mode: 'number' }).notNull(),
    /** Over once a dispute was won: the payment stands again. */
    over: boolean().notNull(),
    /** When it stood so at Stripe. */
    at: time('at').notNull().default(now),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('reversals_payment').on(table.paymentId)],
);

/** What operators did, and holders to the ways into their accounts: who, what, to whom, before and after. Nothing is ever changed or taken out here. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid().primaryKey(),
    /** Null for the command line. */
    actorId: uuid('actor_id'),
    actor: text().notNull(),
    act: text().notNull(),
    subject: text().notNull(),
    /** The account that it was done to. */
    accountId: uuid('account_id'),
    before: jsonb().$type<Record<string, unknown>>(),
    after: jsonb().$type<Record<string, unknown>>(),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('audit_log_account').on(table.accountId, table.id)],
);

/** What each web process counted, as its registry gives it. */
export const processFigures = pgTable('process_figures', {
  process: uuid().primaryKey(),
  seenAt: time('seen_at').notNull(),
  figures: jsonb().$type<Figures>().notNull(),
});

/** Attempts that are counted against a limit, in the shape that rate-limiter-flexible reads and writes. */
export const rateLimits = pgTable('rate_limits', {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  expire: bigint({ mode: 'number' }),
});

/** What an operator wrote for this deployment: files of JSON, the same on every machine. */
export const documents = pgTable('documents', {
  /** `engines.json`, `catalog/workflows/….json`. */
  path: text().primaryKey(),
  text: text().notNull(),
  changedAt: time('changed_at').notNull().default(now),
});

/** Pictures of requests in the making: the last one that the engine showed. */
export const frames = pgTable('frames', {
  requestId: uuid('request_id').primaryKey(),
  contentType: text('content_type').notNull(),
  bytes: bytea().notNull(),
  updatedAt: time('updated_at').notNull().default(now),
});

/** Deployment-wide facts: generated secrets are files, not rows. */
export const settings = pgTable('settings', {
  name: text().primaryKey(),
  value: jsonb().notNull(),
});
