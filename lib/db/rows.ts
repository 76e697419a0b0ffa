import { getTableColumns, is, SQL, type Column, type Table } from 'drizzle-orm';
import { PgTimestamp } from 'drizzle-orm/pg-core';

/** Converts an insert model to a JSON row with static defaults, for SQL functions that take a whole row as JSON. */
export function toRow<T extends Table>(table: T, model: T['$inferInsert']): Record<string, unknown> {
  const values = model as Record<string, unknown>;
  const row: Record<string, unknown> = {};
  for (const { property, name, otherwise } of columnsOf(table)) {
    const value = values[property] ?? otherwise;
    if (value !== undefined) row[name] = value;
  }
  return row;
}

/** A row that SQL returns as JSON: to parse its columns one by one, the driver would take as long as the database. */
export type JsonRow = Record<string, unknown>;

/** Whether a column is a timestamp: a string in JSON, but a `Date` in queries of the table. */
export const isTime = (column: Column): boolean => is(column, PgTimestamp);

/** Converts a JSON row to what a query of the table returns. */
export function fromRow<T extends Table>(table: T, row: JsonRow): T['$inferSelect'] {
  const model: Record<string, unknown> = {};
  for (const { property, name, isTime } of columnsOf(table)) {
    const value = row[name] ?? null;
    model[property] = isTime && value !== null ? new Date(value as string) : value;
  }
  return model;
}

interface KnownColumn {
  property: string;
  name: string;
  /** Static default; undefined when there is none or when the database computes it. */
  otherwise: unknown;
  isTime: boolean;
}

const known = new Map<Table, KnownColumn[]>();

function columnsOf(table: Table): KnownColumn[] {
  const columns =
    known.get(table) ??
    Object.entries(getTableColumns(table)).map(([property, column]) => ({
      property,
      name: column.name,
      otherwise: is(column.default, SQL) ? undefined : column.default,
      isTime: isTime(column),
    }));
  known.set(table, columns);
  return columns;
}
