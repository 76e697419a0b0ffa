import { index, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#lib/db/schema/accounts';
import { time, now } from '#lib/db/schema/columns';
import { media } from '#lib/db/schema/media';

/** Handles in use by characters and references of the deployment: a handle is taken while its row exists. */
export const handles = pgTable('handles', {
  handle: text().primaryKey(),
  accountId: uuid('account_id')
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  /** Id of the character or reference with this handle. */
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
    /** Copies of image and voice for other accounts, while the character is public. */
    publicImageId: uuid('public_image_id').references(() => media.id),
    publicVoiceId: uuid('public_voice_id').references(() => media.id),
    visibility: text({ enum: ['private', 'public'] })
      .notNull()
      .default('private'),
    /** Revision for optimistic locking, incremented by every change. */
    revision: integer().notNull().default(0),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('characters_account').on(table.accountId, table.id)],
);

/** Further images of a character besides its portrait, in order. */
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
    /** Copy for other accounts, while the character is public. */
    publicMediaId: uuid('public_media_id').references(() => media.id),
  },
  table => [primaryKey({ columns: [table.characterId, table.position] })],
);

/** Saved objects, locations, poses, outfits and sounds; `references` is a reserved word in SQL. */
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
    /** The image, or the audio clip when `kind` is `audio`. */
    mediaId: uuid('media_id')
      .notNull()
      .references(() => media.id),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('cast_references_account').on(table.accountId, table.id)],
);
