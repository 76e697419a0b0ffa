import { deepStrictEqual } from 'node:assert';
import type { z } from 'zod';

/** Holds an answer against its schema, for development and tests: what the contract does not declare fails too. */
export function checkAnswer(schema: z.ZodType, body: unknown): void {
  const sent: unknown = JSON.parse(JSON.stringify(body));
  deepStrictEqual(sent, schema.parse(sent));
}
