import { sql } from 'drizzle-orm';
import { bigint, doublePrecision, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#lib/db/schema/accounts';
import { bytea, time, now } from '#lib/db/schema/columns';

/** Smaller forms of a file, for thumbnails and waveforms. */
export interface SmallForms {
  /** Images before videos, the smallest image first. */
  renditions?: StoredRendition[];
  /** Waveform of an audio file, as peaks from 0 to 100. */
  peaks?: number[];
}

/** Facts of a request's output file. */
export interface StoredResult extends SmallForms {
  mediaId: string;
  key: string;
  contentType: string;
  bytes: number;
  width: number;
  height: number;
  duration?: number;
  nsfw: boolean;
  /** ISO 8601 with milliseconds. */
  expiresAt: string;
  /** Set when a result is kept again after its 30 days: since when, and when it would have expired. ISO 8601. */
  keptAgain?: { since: string; until: string };
  /** Written by version 0.1 instead of `renditions` and `peaks`. */
  preview?: { key: string } | { peaks: number[] };
}

/** A smaller form of a file, which has its own media row. */
interface StoredRendition {
  mediaId: string;
  key: string;
  contentType: string;
  bytes: number;
  width: number;
  height: number;
}

/** Stored files: every file has a row, and every row that is not deleted has its file (invariant I10). */
export const media = pgTable(
  'media',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['result', 'preview', 'input', 'upload', 'entity'] }).notNull(),
    /** Storage key, which is also the path of the file's URL below `/media/`. */
    key: text().notNull().unique(),
    contentType: text('content_type').notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    width: integer(),
    height: integer(),
    /** Seconds. */
    duration: doublePrecision(),
    sha256: bytea(),
    /** Input that this file was converted to on first use, when it was not usable as it is. */
    remadeId: uuid('remade_id'),
    /** Smaller forms of uploads and entity files; null until they are made, empty when none can be made. */
    forms: jsonb().$type<SmallForms>(),
    requestId: uuid('request_id'),
    createdAt: time('created_at').notNull().default(now),
    /** Null when the file lives as long as the entity that owns it. */
    expiresAt: time('expires_at'),
    /** Set when the file is deleted; the row stays, and the URL answers 410. */
    deletedAt: time('deleted_at'),
  },
  table => [
    // sums the bytes that an account stores with an index-only scan
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

/** Upload tickets. The row in `media` is added after the signed PUT succeeded, when the ticket becomes ready. */
export const uploads = pgTable('uploads', {
  id: uuid().primaryKey(),
  accountId: uuid('account_id')
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  key: text().notNull().unique(),
  /** Declared type, which the signed PUT must carry; the stored type is derived from the key. */
  contentType: text('content_type').notNull(),
  /** File name given by the client. */
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
