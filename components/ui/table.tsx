import type { ReactNode } from 'react';
import { cn } from '#components/ui/cn';

export type Column<Row> = {
  key: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Whether the cells are numbers, which are right-aligned in tabular figures. */
  number?: boolean;
  className?: string;
};

/** A table that scrolls horizontally if it is wide; `empty` replaces it when there are no rows. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  empty,
  narrow,
}: {
  /** Names the table for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  empty?: ReactNode;
  /** Classes that lay out the cells of a row on phones, where the column heads are hidden. */
  narrow?: string;
}) {
  if (rows.length === 0 && empty) return empty;
  const place = (column: Column<Row>) =>
    cn('py-3 pr-6 align-baseline last:pr-0', column.number && 'figures whitespace-nowrap text-right', column.className);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
    <section className="relative -mx-1 overflow-x-auto px-1" tabIndex={0} aria-label={caption}>
      <table className="w-full border-collapse text-sm">
        <thead className={cn(narrow && 'max-md:sr-only')}>
          <tr className="border-b">
            {columns.map(column => (
              <th
                key={column.key}
                scope="col"
                className={cn(
                  place(column),
                  'py-2 text-left text-xs font-normal text-faint',
                  column.number && 'text-right',
                )}
              >
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={rowKey(row)} className={cn('border-b last:border-0', narrow)}>
              {columns.map(column => (
                <td key={column.key} className={place(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
