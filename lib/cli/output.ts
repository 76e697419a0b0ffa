import type { InvariantReport } from '#lib/ledger-check/check-ledger';
import { AppError } from '#lib/errors';

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints rows as a table, or as JSON for programs. */
export function sayRows(rows: object[], json = false): void {
  if (json) return say(JSON.stringify(rows, null, 2));
  const [first] = rows;
  if (!first) return say('none');
  const cells = rows.map(row => Object.values(row).map(cell));
  const table = [Object.keys(first), ...cells];
  const longest = (column: number) => table.reduce((most, line) => Math.max(most, line[column]?.length ?? 0), 0);
  const widths = Object.keys(first).map((_, column) => longest(column));
  for (const line of table) {
    const padded = line.map((text, column) => text.padEnd(widths[column] ?? 0));
    say(padded.join('  ').trimEnd());
  }
}

function cell(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.join(' ') || '-';
  // a connected app is identified by the address that it receives its tokens at
  if (typeof value === 'object' && value !== null && 'returnsTo' in value) return String(value.returnsTo);
  return String(value ?? '-');
}

/** Writes a file. Throws an `AppError` with a one-line message when it cannot be written. */
export async function orUnwritten(path: string, write: () => Promise<void>): Promise<void> {
  await write().catch((cause: unknown) => {
    throw new AppError('invalid_request', `${path} cannot be written: ${(cause as Error).message}.`, {}, { cause });
  });
}

export function sayReport({ invariant, title, ok, broken, examples }: InvariantReport): void {
  say(`${invariant.padEnd(3)}  ${ok ? 'ok    ' : 'BROKEN'}  ${title}`);
  for (const { what, id, found, expected } of examples) {
    say(
      `             ${what}: ${id}${found === null ? '' : `, ${found}`}${expected === null ? '' : `, not ${expected}`}`,
    );
  }
  if (broken > examples.length) say(`             and ${broken - examples.length} more`);
}
