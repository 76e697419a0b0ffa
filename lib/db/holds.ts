import { ilike, type AnyColumn, type SQL } from 'drizzle-orm';

/** That a text has this word somewhere, in any case. */
export const holds = (column: AnyColumn, word: string): SQL =>
  ilike(column, `%${word.replace(/[\\%_]/g, character => `\\${character}`)}%`);
