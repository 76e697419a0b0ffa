import pMap from 'p-map';
import type { Breach } from '#lib/ledger-check/invariants';
import { pool } from '#lib/db/client';
import { GRACE_MS, WITHOUT_ROW } from '#lib/storage/files-without-row';
import type { Storage } from '#lib/storage/storage';

const BATCH = 500;
/** Maximum number of concurrent `head` calls; with more, calls to a slow store would reach their timeout. */
const AT_ONCE = 16;

/** Returns files without a row, and rows whose file is missing or has another size. */
export async function checkStoredFiles(storage: Pick<Storage, 'head' | 'list'>): Promise<Breach[]> {
  return [...(await findRowsWithoutFile(storage)), ...(await findFilesWithoutRow(storage))];
}

interface FileRow {
  id: string;
  key: string;
  bytes: number;
}

async function findRowsWithoutFile(storage: Pick<Storage, 'head'>): Promise<Breach[]> {
  const breaches: Breach[] = [];
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await pool().query<FileRow>(
      'select id, key, bytes from media where deleted_at is null and id > $1 order by id limit $2',
      [after, BATCH],
    );
    if (rows.length === 0) break;
    after = rows.at(-1)?.id ?? after;
    const look = async (row: FileRow) => ({ row, file: await storage.head(row.key) });
    const found = await pMap(rows, look, { concurrency: AT_ONCE });
    for (const { row, file } of found) {
      if (file?.bytes === row.bytes) continue;
      const what = file ? 'file of another size' : 'row without its file';
      breaches.push({
        what,
        id: row.id,
        found: file ? String(file.bytes) : null,
        expected: `${row.key} of ${row.bytes} bytes`,
      });
    }
  }
  return await withoutDeleted(breaches);
}

/** Leaves out rows that retention deleted, along with their files, during the comparison. */
async function withoutDeleted(breaches: Breach[]): Promise<Breach[]> {
  if (breaches.length === 0) return [];
  const { rows } = await pool().query<{ id: string }>(
    'select id from media where deleted_at is null and id = any($1)',
    [breaches.map(breach => breach.id)],
  );
  const live = new Set(rows.map(row => row.id));
  return breaches.filter(breach => live.has(breach.id));
}

async function findFilesWithoutRow(storage: Pick<Storage, 'list'>): Promise<Breach[]> {
  const breaches: Breach[] = [];
  let keys: string[] = [];
  const compare = async () => {
    const { rows } = await pool().query<{ key: string }>(
      `select key from unnest($1::text[]) as file (key) where ${WITHOUT_ROW}`,
      [keys],
    );
    for (const { key } of rows) breaches.push({ what: 'file without a row', id: key, found: key, expected: null });
    keys = [];
  };
  for await (const file of storage.list('')) {
    if (Date.now() - file.modifiedAt.getTime() < GRACE_MS) continue;
    if (keys.push(file.key) === BATCH) await compare();
  }
  if (keys.length > 0) await compare();
  return breaches;
}
