import { deepStrictEqual } from 'node:assert';
import type { z } from 'zod';

/** Throws when a response body does not match its schema or has undeclared members. For development and tests. */
export function checkAnswer(schema: z.ZodType, body: unknown): void {
  const sent: unknown = JSON.parse(JSON.stringify(body));
  deepStrictEqual(sent, schema.parse(sent));
}
