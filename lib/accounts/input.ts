import type { z } from 'zod';
import { allowedBy } from '#lib/contract/words';
import { invalid } from '#lib/errors';
import { mustBe, pointer } from '#lib/issue';

/** The checked input of a verb, or one refusal that names every bad member. */
export function parseInput<T>(rule: z.ZodType<T>, input: Record<string, unknown>): T {
  const parsed = rule.safeParse(input, { error: allowedBy });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) =>
    mustBe(pointer(...path), message, input[String(path[0])]),
  );
  throw invalid('invalid_request', issues);
}
