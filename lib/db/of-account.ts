import { sql, type AnyColumn, type SQL } from 'drizzle-orm';

/**
 * SQL condition for an account's rows, in lists with the newest first. The subquery hides the account from the planner,
 * which for one with a large share of the rows would scan the newest rows of all accounts: millions if it has been
 * idle. The estimate then comes from the column's `n_distinct`, which is fixed (migration 0041).
 */
export const ofAccount = (owner: AnyColumn, accountId: string): SQL => sql`${owner} = (select ${accountId}::uuid)`;
