import { and, eq, isNull } from 'drizzle-orm';
import type { Tx } from '#lib/db/client';
import { accounts } from '#lib/db/schema';
import { AppError } from '#lib/errors';

/** Throws unless there is another enabled operator. Locks the operators' rows, so two cannot leave concurrently. */
export async function requireAnotherOperator(accountId: string, tx: Tx): Promise<void> {
  const operators = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.operator, true), isNull(accounts.disabledAt)))
    .orderBy(accounts.id)
    .for('update');
  if (operators.some(({ id }) => id !== accountId)) return;
  throw new AppError('invalid_request', 'This is the only operator. Make another account an operator first.');
}
