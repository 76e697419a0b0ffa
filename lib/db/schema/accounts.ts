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
  /** Maximum number of gems bought automatically in a calendar month (UTC). */
  monthlyLimit: number;
}

/** Accounts, which own everything else and pay for it. The lock on an account's row serialises its submits. */
export const accounts = pgTable(
  'accounts',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    /** When the holder first proved to receive mail at `email`; null when unproven. */
    emailVerifiedAt: time('email_verified_at'),
    name: text(),
    operator: boolean().notNull().default(false),
    /** Sum of the account's ledger (invariant I2); written only together with a ledger row. */
    balance: bigint({ mode: 'number' }).notNull().default(0),
    inFlightLimit: integer('in_flight_limit').notNull().default(20),
    mayGenerate: boolean('may_generate').notNull().default(true),
    mayCreateCast: boolean('may_create_cast').notNull().default(true),
    disabledAt: time('disabled_at'),
    /** When an operator last changed `inFlightLimit`: older requests were accepted under a different limit. */
    limitedAt: time('limited_at'),
    /** Maximum number of gems that `manual` top-ups may book in a calendar month (UTC). */
    topUpLimit: bigint('top_up_limit', { mode: 'number' }).notNull().default(0),
    /** Balance threshold: a charge that leaves fewer gems raises a notice; null for no notice. */
    lowBalance: bigint('low_balance', { mode: 'number' }).default(100),
    /** Notices that the account has switched off. */
    mutes: text().array().$type<Mute[]>().notNull().default([]),
    /** Auto top-up settings; null when auto top-up is off. */
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

/** An OAuth app that a user authorised to act for the account. Its API key has the name that the app states. */
export interface ConnectedApp {
  clientId: string;
  /** Where its redirect URI leads: a host, or a custom URL scheme on the user's machine. */
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
    /** App that acts through this row with OAuth tokens, so that no key was handed out; null for an ordinary key. */
    app: jsonb().$type<ConnectedApp>(),
    /** SHA-256 of the whole key, which itself is never stored. */
    hash: bytea().notNull().unique(),
    lastFour: text('last_four').notNull(),
    /** Scopes granted to the key; null for all scopes, including those added later. */
    scopes: text({ enum: SCOPES }).array(),
    expiresAt: time('expires_at'),
    /** Maximum number of gems that the key may spend in a calendar month (UTC). */
    monthlyBudget: bigint('monthly_budget', { mode: 'number' }),
    /** Maximum number of live requests submitted with this key, within the limit of the account. */
    inFlightLimit: integer('in_flight_limit'),
    revokedAt: time('revoked_at'),
    lastUsedAt: time('last_used_at'),
    /** Network address of the last use. */
    lastAddress: text('last_address'),
    /** Hash of the key before it was rolled; the old key is accepted until `previousUntil`. */
    previousHash: bytea('previous_hash').unique(),
    previousLastFour: text('previous_last_four'),
    previousUntil: time('previous_until'),
    previousUsedAt: time('previous_used_at'),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('api_keys_account').on(table.accountId)],
);

/** Records of the OAuth authorization server (clients, interactions, codes, tokens), keyed by the hash of a secret. */
export const oauthRecords = pgTable(
  'oauth_records',
  {
    model: text().notNull(),
    hash: bytea().notNull(),
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    /** API key row of the connected app that a code or token belongs to. */
    keyId: uuid('key_id').references(() => apiKeys.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull().default(now),
    /** Null for clients, which are kept while an API key of theirs exists. */
    expiresAt: time('expires_at'),
  },
  table => [
    primaryKey({ columns: [table.model, table.hash] }),
    index('oauth_records_key').on(table.keyId),
    index('oauth_records_expiring').on(table.expiresAt),
  ],
);

/** Append-only log of the acts of operators, and of the acts of holders that concern access to their accounts. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid().primaryKey(),
    /** Account of the actor; null for the command line. */
    actorId: uuid('actor_id'),
    actor: text().notNull(),
    act: text().notNull(),
    subject: text().notNull(),
    /** Account that was affected. */
    accountId: uuid('account_id'),
    before: jsonb().$type<Record<string, unknown>>(),
    after: jsonb().$type<Record<string, unknown>>(),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('audit_log_account').on(table.accountId, table.id)],
);
