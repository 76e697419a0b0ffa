import { index, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#lib/db/schema/accounts';
import { time, now } from '#lib/db/schema/columns';
import { media } from '#lib/db/schema/media';

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
