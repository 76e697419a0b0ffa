import type { z } from 'zod';
import type { Issue } from '#lib/errors';

/** Returns the JSON pointer for a path of steps; `''` for none. */
export const pointer = (...steps: PropertyKey[]): string =>
  steps.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Returns what messages call the place of a pointer: the name of a top-level member, else the pointer. */
export const placeOf = (path: string): string =>
  path.lastIndexOf('/') === 0 ? path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~') : path;

interface Wording {
  /** What the message calls the place. Default: `placeOf` the pointer. */
  name?: string;
  /** Text appended after the value that was sent. */
  hint?: string;
  show?: (value: unknown) => string;
}

/** Returns the issue for a refused value. `allowed` is a phrase that follows "must be". */
export const mustBe = (
  path: string,
  allowed: string,
  sent: unknown,
  { name = placeOf(path) || 'The body', hint = '', show = shown }: Wording = {},
): Issue => ({ path, message: `${name} must be ${allowed}; it is ${show(sent)}${hint}.` });

/** Names of members whose values are never repeated in a response. */
const SECRETS = ['password', 'current_password', 'token', 'invite', 'secret'];

/** Returns the issues for everything that a schema refused: one per member, even if a member breaks several rules. */
export function issuesOf(error: z.ZodError, sent: unknown, nameOf?: (path: string) => string): Issue[] {
  const issues = new Map<string, Issue>();
  for (const { path: steps, message } of error.issues) {
    const path = pointer(...steps);
    const show = steps.some(step => SECRETS.includes(String(step))) ? lengthOf : shown;
    if (!issues.has(path))
      issues.set(path, mustBe(path, message, valueAt(sent, steps), { ...(nameOf && { name: nameOf(path) }), show }));
  }
  return [...issues.values()];
}

const valueAt = (value: unknown, steps: readonly PropertyKey[]): unknown =>
  steps.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown> | undefined)?.[step], value);

/** Describes a secret by its length instead of showing it. */
export const lengthOf = (value: unknown): string =>
  typeof value === 'string' ? `${charactersIn(value)} characters long` : shown(value);

/** Describes a value for a message, in about 60 characters at most. */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') {
    const [start = ''] = /^.{0,60}/su.exec(value) ?? [];
    const rest = start.length < value.length ? `… (${charactersIn(value)} characters)` : '';
    return JSON.stringify(start.toWellFormed()) + rest;
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  // JSON.parse turns 1e400 into Infinity
  if (value === Infinity || value === -Infinity) return value > 0 ? 'above 1.79e308' : 'below -1.79e308';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** Counts code points, as the limits do. Does not build an array of them, since a body may hold millions. */
export function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
