import type { z } from 'zod';
import type { Issue } from '#lib/errors';

/** The JSON pointer of what these steps lead to; `''` for the whole. */
export const pointer = (...steps: PropertyKey[]): string =>
  steps.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** What messages call the place of a pointer: a member by its name, what lies deeper by its pointer. */
export const placeOf = (path: string): string =>
  path.lastIndexOf('/') === 0 ? path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~') : path;

interface Wording {
  /** What the sentence calls the place. */
  name?: string;
  /** Reads on after what was sent. */
  hint?: string;
  show?: (value: unknown) => string;
}

/** What is said of a refused value: where it is, what is allowed there (reads on after "must be"), and what was sent. */
export const mustBe = (
  path: string,
  allowed: string,
  sent: unknown,
  { name = placeOf(path) || 'The body', hint = '', show = shown }: Wording = {},
): Issue => ({ path, message: `${name} must be ${allowed}; it is ${show(sent)}${hint}.` });

/** Members whose values no answer repeats. */
const SECRETS = ['password', 'current_password', 'token', 'invite', 'secret'];

/** What is said of all that a schema refuses: one sentence for each member, however many of its rules are broken. */
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

/** What is said of a secret instead of showing it. */
export const lengthOf = (value: unknown): string =>
  typeof value === 'string' ? `${charactersIn(value)} characters long` : shown(value);

/** A value for a message: what it is, in about 60 characters whatever was sent. */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') {
    const [start = ''] = /^.{0,60}/su.exec(value) ?? [];
    const rest = start.length < value.length ? `… (${charactersIn(value)} characters)` : '';
    return JSON.stringify(start.toWellFormed()) + rest;
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  // what JSON.parse makes of 1e400
  if (value === Infinity || value === -Infinity) return value > 0 ? 'above 1.79e308' : 'below -1.79e308';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** Code points, as limits count them. A body may hold millions: no list is made of them. */
function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
