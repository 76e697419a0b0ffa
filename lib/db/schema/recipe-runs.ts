import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#lib/db/schema/accounts';
import { time, now } from '#lib/db/schema/columns';
import { RUN_STATUSES } from '#lib/status';

/** One step of a recipe: one request for each item, whose body is rendered from templates. */
export interface StoredStep {
  id: string;
  name: string;
  architecture: string;
  each?: string | string[] | undefined;
  body: Record<string, unknown>;
  /** Title of the step's requests: what is done, and to what. */
  title?: { does: string; about?: string | undefined } | undefined;
}

/** Recipe runs. The steps are copied from the recipe when a run starts. */
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
    /** Inputs as sent, with media as stored URLs. */
    inputs: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Values for the templates: the inputs with defaults, and with the recipe's wording in place of choices. */
    values: jsonb().$type<Record<string, unknown>>().notNull(),
    steps: jsonb().$type<StoredStep[]>().notNull(),
    /** Ids of the steps whose outputs are the result of the run. */
    results: jsonb().$type<string[]>().notNull(),
    /** Price of each request of each step, as of the start of the run. */
    prices: jsonb().$type<number[][]>().notNull(),
    status: text({ enum: RUN_STATUSES }).notNull().default('running'),
    /** Number of times the run was started: 1, plus one for each retry. */
    attempt: smallint().notNull().default(1),
    /** Why a step could not be submitted. */
    error: jsonb().$type<{ code: string; message: string; step: number }>(),
    /** Scope of the idempotency key. */
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
