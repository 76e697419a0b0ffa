import type { z } from 'zod';
import type { Operation } from '#lib/contract/operation';
import { allowedBy, headerName } from '#lib/contract/words';
import { invalid, type Issue } from '#lib/errors';
import { flawsOf } from '#lib/http/find-flaws';
import { issuesOf, placeOf, pointer } from '#lib/issue';

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
  const nameOf = (path: string) => PARTS[part](placeOf(path));
  throw invalid(operation.invalid, issuesOf(parsed.error, sent, nameOf));
}

const queryFlaws = (query: Record<string, string>): Issue[] =>
  Object.entries(query).flatMap(([name, value]) => flawsOf(value, pointer(name), PARTS.query(name)));
