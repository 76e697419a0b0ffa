import { sql, type AnyColumn, type SQL } from 'drizzle-orm';

/**
 * For lists of what an account has, newest first: that it is this account's. The planner is not to know which account it is: of one
 * that had a large share of all it expects a page among the newest rows of everybody, and where the account has been idle since, it
 * would read millions of them. How much an account has is what `n_distinct` of the column says, which is fixed (migration 0041).
 */
export const ofAccount = (owner: AnyColumn, accountId: string): SQL => sql`${owner} = (select ${accountId}::uuid)`;
