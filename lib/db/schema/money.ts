import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#lib/db/schema/accounts';
import { time, now } from '#lib/db/schema/columns';

/** Append-only ledger, enforced by a trigger. `balance_after` chains an account's rows in the order of `id`. */
export const ledger = pgTable(
  'ledger',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Not a foreign key: the rows outlive the account, whose id then identifies no one. */
    accountId: uuid('account_id').notNull(),
    kind: text({ enum: ['opening', 'grant', 'charge', 'refund', 'top_up', 'reversal'] }).notNull(),
    /** Signed amount: negative for a debit. */
    gems: bigint({ mode: 'number' }).notNull(),
    balanceAfter: bigint('balance_after', { mode: 'number' }).notNull(),
    requestId: uuid('request_id'),
    apiKeyId: uuid('api_key_id'),
    /** Payment that a top-up came from, or that a reversal returned money of. */
    paymentId: uuid('payment_id'),
    reason: text(),
    /** Idempotency key of a grant: an account receives one grant for each key. */
    key: text(),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [
    unique('ledger_once_per_request').on(table.requestId, table.kind),
    // a top-up is booked once, however often its payment is announced
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

/** Payments for gems. The rows outlive their account, because they are the deployment's books. */
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
    /** Amount in the smallest unit of the currency; null for a top-up billed by statement. */
    amount: bigint({ mode: 'number' }),
    currency: text(),
    /** Reference of the payment at the provider. */
    providerRef: text('provider_ref'),
    error: text(),
    /** Idempotency key of the request for the payment. */
    key: text(),
    /** Money returned to the payer, in the smallest unit of the currency; `gemsReturned` are the gems it had bought. */
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

/** Money returned to the payer: refunds, and disputes until they are won. */
export const reversals = pgTable(
  'reversals',
  {
    /** Stripe id of the refunded charge, the failed refund, or the dispute. */
    ref: text().primaryKey(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['refund', 'failed_refund', 'dispute'] }).notNull(),
    /** Amount in the smallest unit of the currency; for a refund, the total refunded of the charge so far. */
    amount: bigint({ mode: 'number' }).notNull(),
    /** Whether the reversal no longer counts, as a dispute was won and the payment stands again. */
    over: boolean().notNull(),
    /** Time of this state at Stripe. */
    at: time('at').notNull().default(now),
    createdAt: time('created_at').notNull().default(now),
  },
  table => [index('reversals_payment').on(table.paymentId)],
);
