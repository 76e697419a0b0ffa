import type { LedgerEntryWire } from '#lib/contract/schemas';
import type { LedgerRow } from '#lib/accounts/ledger';

/** Converts a ledger row to its form in the API. */
export const ledgerToWire = (row: LedgerRow): LedgerEntryWire => ({
  id: row.id,
  kind: row.kind,
  gems: row.gems,
  balance_after: row.balanceAfter,
  request_id: row.requestId,
  reason: row.reason,
  created_at: row.createdAt.toISOString(),
});
