import { getTableColumns, is, SQL, type Column, type Table } from 'drizzle-orm';

/** What to insert as the columns of the table, static defaults folded in: for SQL functions that take a whole row as JSON. */
export function toRow<T extends Table>(table: T, model: T['$inferInsert']): Record<string, unknown> {
  const values = model as Record<string, unknown>;
  return Object.fromEntries(
    columnsOf(table).flatMap(([property, column]) => {
      const value = values[property] ?? (is(column.default, SQL) ? undefined : column.default);
      return value === undefined ? [] : [[column.name, value]];
    }),
  );
}

/** A row that a SQL function gave, as the table's own queries give it. */
export function fromRow<T extends Table>(table: T, row: Record<string, unknown>): T['$inferSelect'] {
  const model: Record<string, unknown> = {};
  for (const [property, { name }] of columnsOf(table)) model[property] = row[name] ?? null;
  return model;
}

const known = new Map<Table, [property: string, column: Column][]>();

function columnsOf(table: Table): [property: string, column: Column][] {
  const columns = known.get(table) ?? Object.entries(getTableColumns(table));
  known.set(table, columns);
  return columns;
}
