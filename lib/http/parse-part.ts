import type { z } from 'zod';
import type { Operation } from '#lib/contract/operation';
import { allowedBy, headerName } from '#lib/contract/words';
import { AppError, invalid, type Issue } from '#lib/errors';
import { flawsOf } from '#lib/http/find-flaws';
import { issuesOf, placeOf, pointer } from '#lib/issue';

/** Parts of a request, with the name that messages give to a member of each. */
const PARTS = {
  params: (place: string) => `The path parameter ${place}`,
  query: (place: string) => `The query parameter ${place}`,
  headers: (place: string) => `The header ${headerName(place)}`,
  body: (place: string) => place || 'The body',
};
export type Part = keyof typeof PARTS;

/** Parses a part of a request as the operation defines it. Throws with all issues together. */
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

/** Returns the parsed part, or adds its issues to `issues`, so that the issues of all parts are reported together. */
export function orIssues<T>(issues: Issue[], parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof AppError && error.extra.issues)) throw error;
    issues.push(...error.extra.issues);
    return undefined;
  }
}

/** Parses the query of a URL. Refuses repeated parameters together with any other issues. */
export function parseQuery<S extends z.ZodObject>(
  operation: Pick<Operation, 'invalid'> & { query: S },
  url: string,
): z.output<S> {
  const at = url.indexOf('?');
  const sent = new URLSearchParams(at < 0 ? '' : url.slice(at));
  const parse = () => parsePart(operation, 'query', operation.query, Object.fromEntries(sent));
  const twice = Object.keys(operation.query.shape).filter(name => sent.getAll(name).length > 1);
  if (twice.length === 0) return parse();
  const issues = twice.map(name => ({
    path: pointer(name),
    message: `The query parameter ${name} must be given once; it is given ${sent.getAll(name).length} times.`,
  }));
  const others: Issue[] = [];
  orIssues(others, parse);
  throw invalid(operation.invalid, [...issues, ...others.filter(({ path }) => !twice.includes(placeOf(path)))]);
}

/** Parses the headers. Returns the valid ones, and the issues of the others. */
export function parseHeaders(operation: Operation, schema: z.ZodObject, request: Request) {
  const sent = headersOf(request, schema);
  const flaws: Issue[] = [];
  const parse = () => parsePart(operation, 'headers', schema, sent);
  const headers = orIssues(flaws, parse);
  if (headers) return { headers, flaws };
  for (const { path } of flaws) delete sent[placeOf(path)];
  return { headers: parse(), flaws };
}

function headersOf(request: Request, schema: z.ZodObject): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = request.headers.get(name);
    if (value !== null) found[name] = value;
  }
  return found;
}
