import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#lib/db/schema/accounts';
import { time, now } from '#lib/db/schema/columns';
import { RUN_STATUSES } from '#lib/status';

/** One step of a recipe: a request for each item, with the body that its templates make. */
export interface StoredStep {
  id: string;
  name: string;
  architecture: string;
  each?: string | string[] | undefined;
  body: Record<string, unknown>;
  /** What its requests are called: what is done, and to what. */
  title?: { does: string; about?: string | undefined } | undefined;
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
