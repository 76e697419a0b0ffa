import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#lib/db/schema/accounts';
import { time, now } from '#lib/db/schema/columns';

/** Append-only, which a trigger enforces. `balance_after` chains an account's rows in the order of `id`. */
export const ledger = pgTable(
  'ledger',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Without a foreign key: the rows stay when the account is deleted, and then tell of nobody. */
    accountId: uuid('account_id').notNull(),
    kind: text({ enum: ['opening', 'grant', 'charge', 'refund', 'top_up', 'reversal'] }).notNull(),
    /** Signed: negative for what is taken. */
    gems: bigint({ mode: 'number' }).notNull(),
    balanceAfter: bigint('balance_after', { mode: 'number' }).notNull(),
    requestId: uuid('request_id'),
    apiKeyId: uuid('api_key_id'),
    /** The payment that a top-up came from, or whose money went back. */
    paymentId: uuid('payment_id'),
    reason: text(),
    /** The Idempotency-Key of a grant: under one an account gets one. */
    key: text(),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [
    unique('ledger_once_per_request').on(table.requestId, table.kind),
    // booked once, whatever is announced how often
    uniqueIndex('ledger_top_up')
      .on(table.paymentId)
      .where(sql`${table.kind} = 'top_up' and ${table.paymentId} is not null`),
    index('ledger_reversal')
      .on(table.paymentId)
      .where(sql`${table.kind} = 'reversal'`),
    index('ledger_account').on(table.accountId, table.id),
    index('ledger_api_key')
      .on(table.apiKeyId, table.createdAt)
      .where(sql`${table.apiKeyId} is not null`),
    check('ledger_balance_not_negative', sql`${table.balanceAfter} >= 0`),
  ],
);

/** Money for gems. Rows outlive their account: they are the deployment's books. */
export const payments = pgTable(
  'payments',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id').references(() => accounts.id, { onDelete: 'set null' }),
    provider: text({ enum: ['manual', 'stripe'] }).notNull(),
    purpose: text({ enum: ['top_up', 'auto_top_up'] }).notNull(),
    status: text({ enum: ['open', 'succeeded', 'failed'] })
      .notNull()
      .default('open'),
    gems: bigint({ mode: 'number' }).notNull(),
    /** In the smallest unit of the currency; null on a statement. */
    amount: bigint({ mode: 'number' }),
    currency: text(),
    /** What the provider calls it. */
    providerRef: text('provider_ref'),
    error: text(),
    /** The Idempotency-Key that it was asked for under. */
    key: text(),
    /** Money that went back, in the smallest unit of the currency, and the gems that it had bought. */
    amountReturned: bigint('amount_returned', { mode: 'number' }).notNull().default(0),
    gemsReturned: bigint('gems_returned', { mode: 'number' }).notNull().default(0),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
  },
  table => [
    index('payments_account').on(table.accountId, table.id),
    unique('payments_provider_ref').on(table.provider, table.providerRef),
    uniqueIndex('payments_key')
      .on(table.accountId, table.key)
      .where(sql`${table.key} is not null`),
    uniqueIndex('payments_one_open_auto')
      .on(table.accountId)
      .where(sql`${table.status} = 'open' and ${table.purpose} = 'auto_top_up'`),
    check('payments_gems_positive', sql`${table.gems} >= 1`),
  ],
);

/** Money that went back to whoever paid: refunds, and disputes until they are won. */
export const reversals = pgTable(
  'reversals',
  {
    /** What Stripe calls the charge that was refunded, the refund that failed, or the dispute. */
    ref: text().primaryKey(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['refund', 'failed_refund', 'dispute'] }).notNull(),
    /** Of a refund: all of the charge that was refunded at the time. In the smallest unit of the currency. */
    amount: bigint({ mode: 'number' }).notNull(),
    /** Over once a dispute was won: the payment stands again. */
    over: boolean().notNull(),
    /** When it stood so at Stripe. */
    at: time('at').notNull().default(now),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('reversals_payment').on(table.paymentId)],
);
