import { INVARIANTS, type Breach } from '#lib/ledger-check/invariants';
import { checkStoredFiles } from '#lib/ledger-check/check-stored-files';
import { directAddress } from '#lib/db/address';
import { openConnection } from '#lib/db/open-connection';
import type { Storage } from '#lib/storage/storage';

export interface InvariantReport {
  /** `I1` to `I13`. */
  invariant: string;
  title: string;
  ok: boolean;
  broken: number;
  /** The first few breaches. */
  examples: Breach[];
}

const LIMIT_MS = 600_000;
const EXAMPLES = 5;

/**
 * Checks the invariants of balances, ledger, requests and outputs in one database snapshot, so it can run beside a busy
 * server. With a store, it compares the stored files too (I10).
 */
export async function checkLedger(
  options: { storage?: Pick<Storage, 'head' | 'list'> } = {},
): Promise<InvariantReport[]> {
  const reports = await checkRows();
  if (options.storage) {
    const breaches = await checkStoredFiles(options.storage);
    const title = 'every stored file has a row and every row its file';
    reports.push(report('I10', title, breaches.length, breaches.slice(0, EXAMPLES)));
  }
  return reports;
}

async function checkRows(): Promise<InvariantReport[]> {
  const client = await openConnection(directAddress(), { name: 'pomona-check', statementMs: LIMIT_MS });
  try {
    await client.query('begin isolation level repeatable read read only');
    const reports: InvariantReport[] = [];
    for (const { invariant, title, breaches } of INVARIANTS) {
      const { rows } = await client.query<Breach & { broken: number }>(
        `select *, (count(*) over ())::int as broken from (${breaches}) breaches limit ${EXAMPLES}`,
      );
      const examples = rows.map(({ what, id, found, expected }) => ({ what, id, found, expected }));
      reports.push(report(invariant, title, rows[0]?.broken ?? 0, examples));
    }
    return reports;
  } finally {
    await client.end();
  }
}

const report = (invariant: string, title: string, broken: number, examples: Breach[]): InvariantReport => ({
  invariant,
  title,
  ok: broken === 0,
  broken,
  examples,
});
