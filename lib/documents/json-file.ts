import { basename } from 'node:path';
import type { z } from 'zod';
import type { Issue } from '#lib/errors';
import { pointer } from '#lib/issue';

/** A problem in a file. */
export interface FileError {
  file: string;
  /** JSON pointer into the file. */
  place: string;
  message: string;
}

export const errorsIn = (file: string, issues: readonly Issue[]): FileError[] =>
  issues.map(({ path: place, message }) => ({ file, place, message }));

/** Parses a file as JSON, or returns the reason why it is not. */
export function parseFile(read: () => string): { json: unknown; issues: Issue[] } {
  try {
    return { json: JSON.parse(read()), issues: [] };
  } catch (error) {
    return { json: null, issues: [{ path: '', message: `cannot be read as JSON: ${(error as Error).message}` }] };
  }
}

/** Converts the issues of a schema for a value at a place of the file. */
export const issuesIn = ({ issues }: z.ZodError, ...at: PropertyKey[]): Issue[] =>
  issues.map(({ path, message }) => ({ path: pointer(...at, ...path), message }));

/** The name of a file must match the id in it. */
export function checkName(path: string, id: string): Issue[] {
  const name = basename(path, '.json');
  return id === name ? [] : [{ path: '/id', message: `must be ${name}, as the file is called` }];
}
