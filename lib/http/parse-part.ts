import type { z } from 'zod';
import type { Operation } from '#lib/contract/operation';
import { allowedBy, headerName } from '#lib/contract/words';
import { invalid, type Issue } from '#lib/errors';
import { flawsOf } from '#lib/http/find-flaws';
import { lengthOf, mustBe, placeOf, pointer, shown } from '#lib/issue';

/** The parts of a request, and what messages call a member of each. */
const PARTS = {
  params: (place: string) => `The path parameter ${place}`,
  query: (place: string) => `The query parameter ${place}`,
  headers: (place: string) => `The header ${headerName(place)}`,
  body: (place: string) => place || 'The body',
};
export type Part = keyof typeof PARTS;

/** A part of a request as the operation has it; refuses every bad member at once. */
export function parsePart<S extends z.ZodType>(
  operation: Pick<Operation, 'invalid'>,
  part: Part,
  schema: S,
  sent: unknown,
): z.output<S> {
  const flaws = part === 'query' ? queryFlaws(sent as Record<string, string>) : [];
  if (flaws.length > 0) throw invalid(operation.invalid, flaws);
  const parsed = schema.safeParse(sent, { error: allowedBy });
  if (parsed.success) return parsed.data;
  const issues = new Map<string, Issue>();
  for (const { path: steps, message } of parsed.error.issues) {
    const path = pointer(...steps);
    const show = steps.some(step => SECRETS.includes(String(step))) ? lengthOf : shown;
    // one sentence for each member, however many of its rules are broken
    if (!issues.has(path))
      issues.set(path, mustBe(path, message, valueAt(sent, steps), { name: PARTS[part](placeOf(path)), show }));
  }
  throw invalid(operation.invalid, [...issues.values()]);
}

const queryFlaws = (query: Record<string, string>): Issue[] =>
  Object.entries(query).flatMap(([name, value]) => flawsOf(value, pointer(name), PARTS.query(name)));

/** Members whose values no answer repeats. */
const SECRETS = ['password', 'current_password', 'token', 'invite', 'secret'];

const valueAt = (value: unknown, steps: readonly PropertyKey[]): unknown =>
  steps.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown> | undefined)?.[step], value);
