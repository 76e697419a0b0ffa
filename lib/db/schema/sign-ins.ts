import { bigint, boolean, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#lib/db/schema/accounts';
import { bytea, time, now } from '#lib/db/schema/columns';

/** What is needed to check that a passkey signed something. */
interface StoredPasskey {
  /** COSE, in base64url. */
  publicKey: string;
  /** Of signatures, where the authenticator counts them. */
  counter: number;
  /** How the browser reaches it. */
  transports: string[];
}

/** The ways into an account: its password, its passkeys, and its identities elsewhere. */
export const signIns = pgTable(
  'sign_ins',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    provider: text({ enum: ['password', 'passkey', 'github', 'google', 'oidc'] }).notNull(),
    /** The provider's own id of the person; the account's id for a password, the credential's for a passkey. */
    subject: text().notNull(),
    /** What its holder calls a passkey. */
    name: text(),
    passkey: jsonb().$type<StoredPasskey>(),
    /** argon2id, with its parameters and salt. */
    passwordHash: text('password_hash'),
    createdAt: time('created_at').notNull().default(now),
    lastUsedAt: time('last_used_at'),
  },
  table => [unique('sign_ins_once').on(table.provider, table.subject), index('sign_ins_account').on(table.accountId)],
);

/** The second step after a password. What its codes are made of is derived from `id`, and stored nowhere. */
export const secondSteps = pgTable('second_steps', {
  accountId: uuid('account_id')
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  id: uuid().notNull(),
  /** Null until a first code showed that the app has it: it is not asked for before. */
  confirmedAt: time('confirmed_at'),
  /** The time step of the latest code of the app that was taken. */
  lastCode: bigint('last_code', { mode: 'number' }),
  /** Recovery codes: which set of them holds, and which of these are not used up. */
  recoveryEdition: integer('recovery_edition').notNull().default(0),
  recoveryLeft: integer('recovery_left').array().notNull().default([]),
});

/** Browsers that are signed in, for as long as they have a row here: a sealed cookie cannot be called back. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** As the browser named itself, and where it was, when it signed in. */
    userAgent: text('user_agent').notNull(),
    address: text().notNull(),
    createdAt: time('created_at').notNull().default(now),
    /** To the minute. */
    lastUsedAt: time('last_used_at').notNull().default(now),
    /** When the cookie ends by itself. */
    expiresAt: time('expires_at').notNull(),
  },
  table => [index('sessions_account').on(table.accountId), index('sessions_over').on(table.expiresAt)],
);

/** What works once and for a while: links, and challenges that a passkey signs. Only the hash of their token is kept. */
export const secretLinks = pgTable(
  'secret_links',
  {
    id: uuid().primaryKey(),
    kind: text({ enum: ['invite', 'password_reset', 'email', 'passkey_add', 'passkey_use'] }).notNull(),
    tokenHash: bytea('token_hash').notNull().unique(),
    /** Whose it is; null for an invitation, and for a passkey that is about to say so. */
    accountId: uuid('account_id').references(() => accounts.id, { onDelete: 'cascade' }),
    /** Who is invited, null for whoever has the link; the address that the account takes. */
    email: text(),
    /** It was mailed to that address, or to the account's: whoever has it reads that mail. */
    mailed: boolean().notNull().default(false),
    expiresAt: time('expires_at').notNull(),
    usedAt: time('used_at'),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('secret_links_kind').on(table.kind, table.id)],
);
