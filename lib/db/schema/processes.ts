import { bigint, boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time, now } from '#lib/db/schema/columns';
import type { Registry } from 'prom-client';

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
    /** What the last jobs met here that came to nothing by its fault, and when; null since one was made. Its probes may know nothing of it. */
    trouble: text(),
    troubleAt: time('trouble_at'),
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

/** As a registry gives them. */
export type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

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

/** Deployment-wide facts: generated secrets are files, not rows. */
export const settings = pgTable('settings', {
  name: text().primaryKey(),
  value: jsonb().notNull(),
});
