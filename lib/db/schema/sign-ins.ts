import { bigint, boolean, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#lib/db/schema/accounts';
import { bytea, time, now } from '#lib/db/schema/columns';

/** Data to verify signatures of a passkey. */
interface StoredPasskey {
  /** COSE key in base64url. */
  publicKey: string;
  /** Signature counter, for authenticators that have one. */
  counter: number;
  /** Transports by which the browser reaches the authenticator. */
  transports: string[];
}

/** Sign-in methods of accounts: password, passkeys, and identities at external providers. */
export const signIns = pgTable(
  'sign_ins',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    provider: text({ enum: ['password', 'passkey', 'github', 'google', 'oidc'] }).notNull(),
    /** User id at the provider; the account id for a password, the credential id for a passkey. */
    subject: text().notNull(),
    /** Name that the holder gave a passkey. */
    name: text(),
    passkey: jsonb().$type<StoredPasskey>(),
    /** argon2id hash with its parameters and salt. */
    passwordHash: text('password_hash'),
    createdAt: time('created_at').notNull().default(now),
    lastUsedAt: time('last_used_at'),
  },
  table => [unique('sign_ins_once').on(table.provider, table.subject), index('sign_ins_account').on(table.accountId)],
);

/** Second sign-in step after a password (TOTP). The secrets of its codes are derived from `id` and never stored. */
export const secondSteps = pgTable('second_steps', {
  accountId: uuid('account_id')
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  id: uuid().notNull(),
  /** When a first code confirmed the authenticator app; null before that, while the second step is not required. */
  confirmedAt: time('confirmed_at'),
  /** Time step of the last accepted code of the app, which prevents replays. */
  lastCode: bigint('last_code', { mode: 'number' }),
  /** Current set of recovery codes; `recoveryLeft` has the numbers of the unused ones. */
  recoveryEdition: integer('recovery_edition').notNull().default(0),
  recoveryLeft: integer('recovery_left').array().notNull().default([]),
});

/** Signed-in browsers. A sealed cookie cannot be revoked, so a session is valid only while its row exists. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** User agent at sign-in; `address` is the network address at that time. */
    userAgent: text('user_agent').notNull(),
    address: text().notNull(),
    createdAt: time('created_at').notNull().default(now),
    /** Last use, to the minute. */
    lastUsedAt: time('last_used_at').notNull().default(now),
    /** When the cookie expires. */
    expiresAt: time('expires_at').notNull(),
  },
  table => [index('sessions_account').on(table.accountId), index('sessions_over').on(table.expiresAt)],
);

/** Single-use secrets that expire: links, and challenges for passkeys. Only the hash of the token is stored. */
export const secretLinks = pgTable(
  'secret_links',
  {
    id: uuid().primaryKey(),
    kind: text({ enum: ['invite', 'password_reset', 'email', 'passkey_add', 'passkey_use'] }).notNull(),
    tokenHash: bytea('token_hash').notNull().unique(),
    /** Account of the link; null for an invitation, and for a passkey sign-in, which identifies the account later. */
    accountId: uuid('account_id').references(() => accounts.id, { onDelete: 'cascade' }),
    /** Invited address, null when anyone with the link may use it; for an e-mail change, the new address. */
    email: text(),
    /** Whether the link was mailed to `email` or to the account's address, so that using it proves receipt. */
    mailed: boolean().notNull().default(false),
    expiresAt: time('expires_at').notNull(),
    usedAt: time('used_at'),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('secret_links_kind').on(table.kind, table.id)],
);
