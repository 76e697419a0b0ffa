import { sql } from 'drizzle-orm';
import { bigint, doublePrecision, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#lib/db/schema/accounts';
import { bytea, time, now } from '#lib/db/schema/columns';

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
  /** Of what is kept once more, after its 30 days: since when, and when it would have expired. ISO 8601. */
  keptAgain?: { since: string; until: string };
  /** What version 0.1 kept instead of the two. */
  preview?: { key: string } | { peaks: number[] };
}

/** A smaller form of a file, with a media row of its own. */
interface StoredRendition {
  mediaId: string;
  key: string;
  contentType: string;
  bytes: number;
  width: number;
  height: number;
}

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
export const uploads = pgTable('uploads', {
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
});
