import { listLedger, type LedgerRow } from '#lib/accounts/ledger';

const HEAD = 'id,created_at,kind,gems,balance_after,request_id,reason\r\n';
const PAGE = 1_000;

/** The account's ledger as CSV, newest first, a page at a time. */
export async function* ledgerCsv(accountId: string, kind?: LedgerRow['kind']): AsyncGenerator<string> {
  yield HEAD;
  let cursor: string | undefined;
  do {
    const { data, nextCursor } = await listLedger(accountId, { limit: PAGE, cursor, kind });
    yield data.map(line).join('');
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

const line = (row: LedgerRow): string =>
  [row.id, row.createdAt.toISOString(), row.kind, row.gems, row.balanceAfter, row.requestId, row.reason]
    .map(cell)
    .join(',') + '\r\n';

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  // a spreadsheet would run a text that begins like a formula
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
