import { listLedger, type LedgerRow } from '#lib/accounts/ledger';
import { pagesOf } from '#lib/db/page';

const HEAD = 'id,created_at,kind,gems,balance_after,request_id,reason\r\n';

/** Yields the ledger of an account as CSV lines, newest first. */
export async function* ledgerCsv(accountId: string, kind?: LedgerRow['kind']): AsyncGenerator<string> {
  yield HEAD;
  for await (const row of pagesOf(page => listLedger(accountId, { ...page, kind }))) yield line(row);
}

const line = (row: LedgerRow): string =>
  [row.id, row.createdAt.toISOString(), row.kind, row.gems, row.balanceAfter, row.requestId, row.reason]
    .map(cell)
    .join(',') + '\r\n';

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  // escaped, because a spreadsheet would evaluate a text that begins like a formula
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
