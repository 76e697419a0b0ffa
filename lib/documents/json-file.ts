import { basename } from 'node:path';
import type { z } from 'zod';
import type { Issue } from '#lib/errors';
import { pointer } from '#lib/issue';

/** Something wrong in a file. */
export interface FileError {
  file: string;
  /** JSON pointer into the file. */
  place: string;
  message: string;
}

export const errorsIn = (file: string, issues: readonly Issue[]): FileError[] =>
  issues.map(({ path: place, message }) => ({ file, place, message }));

/** The JSON of a file, or why it is none. */
export function parseFile(read: () => string): { json: unknown; issues: Issue[] } {
  try {
    return { json: JSON.parse(read()), issues: [] };
  } catch (error) {
    return { json: null, issues: [{ path: '', message: `cannot be read as JSON: ${(error as Error).message}` }] };
  }
}

/** What a schema found wrong with the value at a place of the file. */
export const issuesIn = ({ issues }: z.ZodError, ...at: PropertyKey[]): Issue[] =>
  issues.map(({ path, message }) => ({ path: pointer(...at, ...path), message }));

/** A file has to be called as what is in it. */
export function checkName(path: string, id: string): Issue[] {
  const name = basename(path, '.json');
  return id === name ? [] : [{ path: '/id', message: `must be ${name}, as the file is called` }];
}
