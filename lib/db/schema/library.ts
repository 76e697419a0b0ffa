import { sql } from 'drizzle-orm';
import { boolean, check, doublePrecision, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#lib/db/schema/accounts';
import { time, now } from '#lib/db/schema/columns';
import { requests } from '#lib/db/schema/requests';

/** Collections of requests, curated by the user. A request can be in any number of collections. */
export const collections = pgTable(
  'collections',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    notes: text(),
    /** Request whose image is the cover; null for the first request of the collection. */
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
    /** Sort key, ascending; an item moved between two others takes a value between theirs. */
    place: doublePrecision().notNull(),
  },
  table => [
    primaryKey({ columns: [table.collectionId, table.requestId] }),
    index('collection_items_request').on(table.requestId),
  ],
);

/** Tags that accounts put on their requests. */
export const requestTags = pgTable(
  'request_tags',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Lower-case tag. */
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

/** Handles that the prompts of requests mention, maintained by a trigger on `requests`. */
export const requestMentions = pgTable(
  'request_mentions',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    handle: text().notNull(),
    requestId: uuid('request_id').notNull(),
  },
  // the key has the order of the history, so that a query reads no more than the rows of its page
  table => [primaryKey({ columns: [table.accountId, table.handle, table.requestId] })],
);

/** Example result of each architecture, chosen by an operator. */
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

/** Share links: public pages of a result or a collection. */
export const shares = pgTable(
  'shares',
  {
    id: uuid().primaryKey(),
    /** Last part of the address: 128 random bits. Stored in plain text, because the owner can view the link again. */
    token: text().notNull().unique(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** The shared request; exactly one of `requestId` and `collectionId` is set. */
    requestId: uuid('request_id').references(() => requests.id, { onDelete: 'cascade' }),
    collectionId: uuid('collection_id').references(() => collections.id, { onDelete: 'cascade' }),
    /** Whether prompt and settings are shown and may be reused. */
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

/** Named settings saved by an account, and styles: parts of prompts that fit every model. */
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
    /** Body of a generate request; for a style, only its prompt. */
    body: jsonb().$type<Record<string, unknown>>().notNull(),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('presets_account').on(table.accountId, table.id)],
);
