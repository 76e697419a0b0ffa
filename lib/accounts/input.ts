import type { z } from 'zod';
import { allowedBy } from '#lib/contract/words';
import { invalid } from '#lib/errors';
import { issuesOf } from '#lib/issue';

/** Returns the validated input. Throws one `invalid_request` that names every invalid member. */
export function parseInput<T>(rule: z.ZodType<T>, input: Record<string, unknown>): T {
  const parsed = rule.safeParse(input, { error: allowedBy });
  if (parsed.success) return parsed.data;
  throw invalid('invalid_request', issuesOf(parsed.error, input));
}
