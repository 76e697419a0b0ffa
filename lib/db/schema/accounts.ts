import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytea, time, now } from '#lib/db/schema/columns';
import type { Mute } from '#lib/events';
import { SCOPES } from '#lib/scopes';

export interface AutoTopUp {
  threshold: number;
  gems: number;
  /** Most gems bought automatically in a calendar month (UTC). */
  monthlyLimit: number;
}

/** Who pays and owns. Its row lock serialises the account's submits. */
export const accounts = pgTable(
  'accounts',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    /** Since when it is known that the holder reads its mail; null: nobody has shown it. */
    emailVerifiedAt: time('email_verified_at'),
    name: text(),
    operator: boolean().notNull().default(false),
    /** The sum of the account's ledger (I2); written only together with a ledger row. */
    balance: bigint({ mode: 'number' }).notNull().default(0),
    inFlightLimit: integer('in_flight_limit').notNull().default(20),
    mayGenerate: boolean('may_generate').notNull().default(true),
    mayCreateCast: boolean('may_create_cast').notNull().default(true),
    disabledAt: time('disabled_at'),
    /** When an operator last changed the in-flight limit: older requests were accepted under another one. */
    limitedAt: time('limited_at'),
    /** Most gems that `manual` top-ups may book in a calendar month (UTC). */
    topUpLimit: bigint('top_up_limit', { mode: 'number' }).notNull().default(0),
    /** A charge that leaves fewer gems raises a notice; null: none does. */
    lowBalance: bigint('low_balance', { mode: 'number' }).default(100),
    /** Notices that are switched off. */
    mutes: text().array().$type<Mute[]>().notNull().default([]),
    /** Null: auto top-up is off. */
    autoTopUp: jsonb('auto_top_up').$type<AutoTopUp>(),
    /** The account's customer and saved payment method at Stripe. */
    stripeCustomer: text('stripe_customer'),
    stripeMethod: jsonb('stripe_method').$type<{ id: string; label: string }>(),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [
    uniqueIndex('accounts_email').on(sql`lower(${table.email})`),
    check('accounts_balance_not_negative', sql`${table.balance} >= 0`),
  ],
);

/** An app that a person let act for them. Its name is the key's, and what the app says of itself. */
export interface ConnectedApp {
  clientId: string;
  /** Where it gets what it is let in with: a host, or a scheme of its own on the person's machine. */
  returnsTo: string;
}

export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** The app that acts by it with tokens, and nobody has the key; null for a key that somebody has. */
    app: jsonb().$type<ConnectedApp>(),
    /** SHA-256 of the whole key; the key itself is never stored. */
    hash: bytea().notNull().unique(),
    lastFour: text('last_four').notNull(),
    /** What it may do; null: everything, whatever comes. */
    scopes: text({ enum: SCOPES }).array(),
    expiresAt: time('expires_at'),
    /** Most gems that the key may spend in a calendar month (UTC). */
    monthlyBudget: bigint('monthly_budget', { mode: 'number' }),
    /** Most requests of its own that may be live at a time, within the account's. */
    inFlightLimit: integer('in_flight_limit'),
    revokedAt: time('revoked_at'),
    lastUsedAt: time('last_used_at'),
    /** Network address that it was used from then. */
    lastAddress: text('last_address'),
    /** What it was before it was rolled, and until when that goes on working. */
    previousHash: bytea('previous_hash').unique(),
    previousLastFour: text('previous_last_four'),
    previousUntil: time('previous_until'),
    previousUsedAt: time('previous_used_at'),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('api_keys_account').on(table.accountId)],
);

/** What the authorization server keeps: clients, questions, codes and tokens, by the hash of what its holder shows. */
export const oauthRecords = pgTable(
  'oauth_records',
  {
    model: text().notNull(),
    hash: bytea().notNull(),
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The key of the connection that a code or token belongs to. */
    keyId: uuid('key_id').references(() => apiKeys.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull().default(now),
    /** Null for clients, which live as long as a connection of theirs. */
    expiresAt: time('expires_at'),
  },
  table => [
    primaryKey({ columns: [table.model, table.hash] }),
    index('oauth_records_key').on(table.keyId),
    index('oauth_records_expiring').on(table.expiresAt),
  ],
);

/** What operators did, and holders to the ways into their accounts: who, what, to whom, before and after. Nothing is ever changed or taken out here. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid().primaryKey(),
    /** Null for the command line. */
    actorId: uuid('actor_id'),
    actor: text().notNull(),
    act: text().notNull(),
    subject: text().notNull(),
    /** The account that it was done to. */
    accountId: uuid('account_id'),
    before: jsonb().$type<Record<string, unknown>>(),
    after: jsonb().$type<Record<string, unknown>>(),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('audit_log_account').on(table.accountId, table.id)],
);
