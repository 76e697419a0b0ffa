import { ilike, type AnyColumn, type SQL } from 'drizzle-orm';

/** SQL condition: whether a text contains this word, ignoring case. */
export const holds = (column: AnyColumn, word: string): SQL =>
  ilike(column, `%${word.replace(/[\\%_]/g, character => `\\${character}`)}%`);
