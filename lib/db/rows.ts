import { getTableColumns, is, SQL, type Column, type Table } from 'drizzle-orm';
import { PgTimestamp } from 'drizzle-orm/pg-core';

/** What to insert as the columns of the table, static defaults folded in: for SQL functions that take a whole row as JSON. */
export function toRow<T extends Table>(table: T, model: T['$inferInsert']): Record<string, unknown> {
  const values = model as Record<string, unknown>;
  const row: Record<string, unknown> = {};
  for (const { property, name, otherwise } of columnsOf(table)) {
    const value = values[property] ?? otherwise;
    if (value !== undefined) row[name] = value;
  }
  return row;
}

/** A row of SQL of our own, given as JSON: all its columns one by one take the driver as long as the query takes the database. */
export type JsonRow = Record<string, unknown>;

/** Whether JSON has a text where the table's own queries give a `Date`. */
export const isTime = (column: Column): boolean => is(column, PgTimestamp);

/** It as the table's own queries give it. */
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
  /** What it has where nothing is said; undefined where that is the database's. */
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
