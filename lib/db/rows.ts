import { getTableColumns, is, SQL, type Table } from 'drizzle-orm';

/** What to insert as the columns of the table, static defaults folded in: for SQL functions that take a whole row as JSON. */
export function toRow<T extends Table>(table: T, model: T['$inferInsert']): Record<string, unknown> {
  const values = model as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(getTableColumns(table)).flatMap(([property, column]) => {
      const value = values[property] ?? (is(column.default, SQL) ? undefined : column.default);
      return value === undefined ? [] : [[column.name, value]];
    }),
  );
}

/** A row that a SQL function gave, as the table's own queries give it. */
export function fromRow<T extends Table>(table: T, row: Record<string, unknown>): T['$inferSelect'] {
  return Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([property, column]) => [property, row[column.name] ?? null]),
  );
}
