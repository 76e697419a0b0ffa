import { follow } from '#lib/db/follow';
import { pool, type Tx } from '#lib/db/client';
import { inTurn } from '#lib/db/in-turn';
import { documents as table, settings } from '#lib/db/schema';
import { eq, sql } from 'drizzle-orm';
import { singleton } from '#lib/singleton';

/** Documents that the operator wrote for this deployment beside the shipped catalog: engines, workflows and so on. */
export type Documents = ReadonlyMap<string, string>;

/** Notified when a document changes. */
const DOCUMENTS_CHANNEL = 'pomona_documents';

const known = () => singleton('documents', () => ({ revision: '', documents: new Map() as Documents }));

/** Texts by path, such as `engines.json` or `catalog/workflows/poster.json`; a new object exactly when one changes. */
export const documents = (): Documents => known().documents;

/** Reads the current documents. Reads run one after the other, so that an older result cannot replace a newer one. */
export const refreshDocuments = (): Promise<Documents> => inTurn('documents', read);

async function read(): Promise<Documents> {
  const { rows } = await pool().query<{ revision: string }>({
    name: 'documents_revision',
    // xmin, not time: clocks can be set back
    text: `select coalesce(md5(string_agg(path || ' ' || xmin, ',' order by path)), '') as revision from documents`,
  });
  const { revision } = rows[0]!;
  if (revision === known().revision) return known().documents;
  const all = await pool().query<{ path: string; text: string }>('select path, text from documents order by path');
  Object.assign(known(), { revision, documents: new Map(all.rows.map(({ path, text }) => [path, text])) });
  return known().documents;
}

/** Keeps the documents of this process up to date, whoever changes them. `onChange` is called after each change. */
export async function followDocuments(onChange: () => unknown = () => undefined): Promise<{ close(): Promise<void> }> {
  return follow(DOCUMENTS_CHANNEL, 'documents', async () => {
    const before = known().documents;
    if ((await refreshDocuments()) !== before) await onChange();
  });
}

/** Returns the current text of a document and locks all documents against writes until the transaction ends. */
export async function lockDocument(path: string, tx: Tx): Promise<string | null> {
  // an advisory lock, because a row that does not exist yet cannot be locked
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('documents'))`);
  const [row] = await tx.select({ text: table.text }).from(table).where(eq(table.path, path));
  return row?.text ?? null;
}

/** Name of the setting that records when a document was removed: a machine that was offline may still have its file. */
const removalOf = (path: string): string => `removed ${path}`;

/** Returns when a document was last written or removed, in milliseconds; null if never. */
export async function changedAt(path: string, tx: Tx): Promise<number | null> {
  const { rows } = await tx.execute<{ at: number | null }>(
    sql`select (1000 * extract(epoch from coalesce((select changed_at from documents where path = ${path}),
      (select (value #>> '{}')::timestamptz from settings where name = ${removalOf(path)}))))::float8 as at`,
  );
  return rows[0]!.at;
}

/** Writes a document, or removes it with null; other processes follow within a second. Returns the previous text. */
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
