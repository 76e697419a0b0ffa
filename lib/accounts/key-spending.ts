import type { Caller } from '#lib/accounts/callers';
import { pool } from '#lib/db/client';

/** Returns how many gems a key may still spend in this calendar month (UTC); Infinity without a budget. */
export async function readBudgetLeft({
  keyId,
  monthlyBudget,
}: Pick<Caller, 'keyId' | 'monthlyBudget'>): Promise<number> {
  if (keyId === null || monthlyBudget === null) return Infinity;
  // the budget may have been lowered below what was already spent
  return Math.max(0, monthlyBudget - ((await readKeySpending([keyId])).get(keyId) ?? 0));
}

/** Returns the gems that each key spent in this calendar month (UTC), net of refunds. */
export async function readKeySpending(keyIds: string[]): Promise<Map<string, number>> {
  const { rows } = await pool().query<{ id: string; spent: number }>(
    'select id, spent_this_month(id) as spent from unnest($1::uuid[]) as id',
    [keyIds],
  );
  return new Map(rows.map(({ id, spent }) => [id, spent]));
}
