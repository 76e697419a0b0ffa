import { z } from 'zod';
import { AppError } from '#lib/errors';

/** No act moves more gems than this, so that sums stay far below 2^53. */
export const MOST_GEMS = 1_000_000_000;

const wholeGems = (least: number) => {
  const rule = `a whole number from ${least} to ${MOST_GEMS}`;
  return z.number(rule).int(rule).min(least, rule).max(MOST_GEMS, rule);
};

export const GEMS = wholeGems(0);
export const POSITIVE_GEMS = wholeGems(1);

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1, 'not empty')
    .max(most, `at most ${most} characters`)
    .regex(/^\P{Cc}*$/u, 'without control characters');

export const NAME = line(100);
export const REASON = line(500);

/** The checked input of a verb, or one refusal that names every bad member. */
export function parseInput<T>(rule: z.ZodType<T>, input: unknown): T {
  const parsed = rule.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(issue => ({
    path: issue.path.map(step => `/${String(step)}`).join(''),
    message: issue.message,
  }));
  const message = issues.map(issue => `${issue.path.slice(1)} must be ${issue.message}.`).join(' ');
  throw new AppError('invalid_request', message, { issues });
}
