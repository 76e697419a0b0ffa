import type { Caller } from '#lib/accounts/callers';
import { pool } from '#lib/db/client';

/** Gems that a key may still spend in this calendar month (UTC); Infinity without a budget. */
export async function readBudgetLeft({
  keyId,
  monthlyBudget,
}: Pick<Caller, 'keyId' | 'monthlyBudget'>): Promise<number> {
  if (keyId === null || monthlyBudget === null) return Infinity;
  // a budget may have been lowered below what was spent of it
  return Math.max(0, monthlyBudget - ((await readKeySpending([keyId])).get(keyId) ?? 0));
}

/** Gems that each of an account's keys spent in this calendar month (UTC), refunds taken off. */
export async function readKeySpending(keyIds: string[]): Promise<Map<string, number>> {
  const { rows } = await pool().query<{ id: string; spent: number }>(
    'select id, spent_this_month(id) as spent from unnest($1::uuid[]) as id',
    [keyIds],
  );
  return new Map(rows.map(({ id, spent }) => [id, spent]));
}
