import type { z } from 'zod';

/** Returns a list of values as a phrase that follows "must be". */
export const oneOf = (values: readonly unknown[]): string =>
  `one of ${values.map(value => JSON.stringify(value)).join(', ')}`;

/** `1 generation`, `1,200 generations`. */
export const many = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** Returns a header name such as `idempotency-key` in its usual capitalisation. */
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
 * Returns what is allowed where a schema has no message of its own, as a phrase that follows "must be". Given to zod as
 * `error`, so that every issue has such a message.
 */
export const allowedBy = (issue: z.core.$ZodRawIssue): string =>
  issue.code === 'invalid_value' ? oneOf(issue.values) : (TYPES[String(issue.expected)] ?? 'something else');
