import { sql } from 'drizzle-orm';
import { boolean, check, doublePrecision, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#lib/db/schema/accounts';
import { time, now } from '#lib/db/schema/columns';
import { requests } from '#lib/db/schema/requests';

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
