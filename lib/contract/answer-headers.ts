import { z } from 'zod';
import { described } from '#lib/contract/values';

/** The headers of answers that a client reads. */
export const ANSWER_HEADERS = {
  'X-Request-Id': described('Names the answer to the operator, whose log has it', z.uuid()),
  ETag: described('Of this state: sent back in If-None-Match, it makes an unchanged one a 304', z.string()),
  'Retry-After': described('Seconds after which another try makes sense', z.int().min(0)),
  'Idempotency-Replayed': described('There when this was answered before, under the same key', z.literal('true')),
  'WWW-Authenticate': described('What a request without a valid key lacks', z.literal('Bearer')),
} as const;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;

interface Answering {
  responses: Record<number, unknown>;
  tells?: Record<number, readonly AnswerHeader[]>;
}

/** Those of the answers that an operation gives with a status. */
export function answerHeaders({ responses, tells }: Answering, status: number): AnswerHeader[] {
  const headers: AnswerHeader[] = ['X-Request-Id', ...(tells?.[status] ?? [])];
  if (status === 401) headers.push('WWW-Authenticate');
  if (status === 429 || status === 503) headers.push('Retry-After');
  if (responses[304] === null && (status === 200 || status === 304)) headers.push('ETag');
  return headers;
}
