import { follow } from '#lib/db/follow';
import { pool, type Tx } from '#lib/db/client';
import { inTurn } from '#lib/db/in-turn';
import { documents as table, settings } from '#lib/db/schema';
import { eq, sql } from 'drizzle-orm';
import { singleton } from '#lib/singleton';

/** What an operator wrote for this deployment beside the catalog that comes with it: engines, workflows, architectures. */
export type Documents = ReadonlyMap<string, string>;

/** Told when a document changed. */
const DOCUMENTS_CHANNEL = 'pomona_documents';

const known = () => singleton('documents', () => ({ revision: '', documents: new Map() as Documents }));

/** Text by path, such as `engines.json` or `catalog/workflows/poster.json`; another object exactly when something changed. */
export const documents = (): Documents => known().documents;

/** Reads them as they are now. One look after the other: an older one must not come in over a newer one. */
export const refreshDocuments = (): Promise<Documents> => inTurn('documents', read);

async function read(): Promise<Documents> {
  const { rows } = await pool().query<{ revision: string }>({
    name: 'documents_revision',
    // which transaction wrote each: clocks are set back
    text: `select coalesce(md5(string_agg(path || ' ' || xmin, ',' order by path)), '') as revision from documents`,
  });
  const { revision } = rows[0]!;
  if (revision === known().revision) return known().documents;
  const all = await pool().query<{ path: string; text: string }>('select path, text from documents order by path');
  Object.assign(known(), { revision, documents: new Map(all.rows.map(({ path, text }) => [path, text])) });
  return known().documents;
}

/** Keeps them up to date in this process, whichever process or machine changes them. `onChange` is told of every look that found one. */
export async function followDocuments(onChange: () => unknown = () => undefined): Promise<{ close(): Promise<void> }> {
  return follow(DOCUMENTS_CHANNEL, 'documents', async () => {
    const before = known().documents;
    if ((await refreshDocuments()) !== before) await onChange();
  });
}

/** A document as it is now; nobody else writes one before the transaction ends. */
export async function lockDocument(path: string, tx: Tx): Promise<string | null> {
  // a row that is not there yet cannot be locked
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('documents'))`);
  const [row] = await tx.select({ text: table.text }).from(table).where(eq(table.path, path));
  return row?.text ?? null;
}

/** Where it is kept when a document was removed: a machine that was away has its file still. */
const removalOf = (path: string): string => `removed ${path}`;

/** When a document was written or removed, in milliseconds; null when there never was one. */
export async function changedAt(path: string, tx: Tx): Promise<number | null> {
  const { rows } = await tx.execute<{ at: number | null }>(
    sql`select (1000 * extract(epoch from coalesce((select changed_at from documents where path = ${path}),
      (select (value #>> '{}')::timestamptz from settings where name = ${removalOf(path)}))))::float8 as at`,
  );
  return rows[0]!.at;
}

/** Writes a document, or takes it away with null, everywhere within a second. Gives what was there before. */
export async function writeDocument(path: string, text: string | null, tx: Tx): Promise<string | null> {
  const before = await lockDocument(path, tx);
  if (text === before) return before;
  if (text === null) {
    await tx.delete(table).where(eq(table.path, path));
    const value = sql`to_jsonb(clock_timestamp())`;
    await tx
      .insert(settings)
      .values({ name: removalOf(path), value })
      .onConflictDoUpdate({ target: settings.name, set: { value } });
  } else {
    const changed = { text, changedAt: sql`clock_timestamp()` };
    await tx
      .insert(table)
      .values({ path, ...changed })
      .onConflictDoUpdate({ target: table.path, set: changed });
    await tx.delete(settings).where(eq(settings.name, removalOf(path)));
  }
  await tx.execute(sql`select pg_notify(${DOCUMENTS_CHANNEL}, ${path})`);
  return before;
}
