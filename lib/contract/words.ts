import type { z } from 'zod';

/** A list of words as it reads on after "must be". */
export const oneOf = (values: readonly unknown[]): string =>
  `one of ${values.map(value => JSON.stringify(value)).join(', ')}`;

/** `1 generation`, `1,200 generations`. */
export const many = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** `idempotency-key` as people write it. */
export const headerName = (name: string): string => name.replaceAll(/\b[a-z]/g, letter => letter.toUpperCase());

const TYPES: Record<string, string> = {
  object: 'a JSON object',
  record: 'a JSON object',
  array: 'a list',
  boolean: 'true or false',
  string: 'text',
  number: 'a number',
};

/**
 * What is allowed where a schema has no words of its own; reads on after "must be". To be given to zod as `error`, so that the
 * message of every issue is such a rule.
 */
export const allowedBy = (issue: z.core.$ZodRawIssue): string =>
  issue.code === 'invalid_value' ? oneOf(issue.values) : (TYPES[String(issue.expected)] ?? 'something else');
