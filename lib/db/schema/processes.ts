import { bigint, boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time, now } from '#lib/db/schema/columns';
import type { Registry } from 'prom-client';

/** Worker processes and their last heartbeats. */
export const workers = pgTable('workers', {
  id: uuid().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  seenAt: time('seen_at').notNull().default(now),
});

/** Servers of every engine, as last probed by the workers. Their places decide the status of an accepted request. */
export const servers = pgTable(
  'servers',
  {
    /** Engine and server, such as `preview/…`. */
    id: text().primaryKey(),
    engine: text().notNull(),
    /** Worker process that hosts the server, which ends with it; null for a standalone server. */
    worker: uuid().references(() => workers.id, { onDelete: 'cascade' }),
    /** Maximum number of generations that the server runs concurrently. */
    places: integer().notNull(),
    ok: boolean().notNull().default(true),
    /** Line whose model the server has in memory, as far as Pomona knows. */
    loaded: text(),
    loadedAt: time('loaded_at'),
    /** Lines that the engine serves but this server cannot, because it lacks something listed in `missing`. */
    lacks: text().array().notNull().default([]),
    /** Names of what the server lacks, for each model. */
    missing: jsonb().$type<{ architecture: string; modelId: string; names: string[] }[]>().notNull().default([]),
    /** Models that the server reports. */
    models: text().array().notNull().default([]),
    version: text(),
    detail: text(),
    /** Error of the last job that failed through the server's fault; null after a success. Probes may not show it. */
    trouble: text(),
    troubleAt: time('trouble_at'),
    /** When the server last answered a probe, which is how old `lacks` is; null when it never did. */
    answeredAt: time('answered_at'),
    /** When the server was last probed. */
    checkedAt: time('checked_at').notNull().default(now),
  },
  table => [index('servers_engine').on(table.engine)],
);

/** When each periodic task is next due; claiming a row lets one process run the task. */
export const schedules = pgTable('schedules', {
  name: text().primaryKey(),
  dueAt: time('due_at').notNull().default(now),
});

/** Metrics in the JSON form of a prom-client `Registry`. */
export type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Metrics of each web process. */
export const processFigures = pgTable('process_figures', {
  process: uuid().primaryKey(),
  seenAt: time('seen_at').notNull(),
  figures: jsonb().$type<Figures>().notNull(),
});

/** Attempts counted against rate limits, in the table shape that rate-limiter-flexible expects. */
export const rateLimits = pgTable('rate_limits', {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  expire: bigint({ mode: 'number' }),
});

/** JSON files that an operator wrote for this deployment, shared by all machines. */
export const documents = pgTable('documents', {
  /** Path, such as `engines.json` or `catalog/workflows/….json`. */
  path: text().primaryKey(),
  text: text().notNull(),
  changedAt: time('changed_at').notNull().default(now),
});

/** Deployment-wide facts. Generated secrets are not stored here but in files. */
export const settings = pgTable('settings', {
  name: text().primaryKey(),
  value: jsonb().notNull(),
});
