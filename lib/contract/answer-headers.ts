import { z } from 'zod';
import { described } from '#lib/contract/values';

/** Response headers that a client reads. */
export const ANSWER_HEADERS = {
  'X-Request-Id': described('Identifies the answer in the log of the operator', z.uuid()),
  ETag: described('Identifies this state: send it as If-None-Match to get a 304 while nothing has changed', z.string()),
  'Retry-After': described('Seconds to wait before another try', z.int().min(0)),
  'Idempotency-Replayed': described('Present if the same key was answered before', z.literal('true')),
  'WWW-Authenticate': described('The authentication that a request without a valid key lacks', z.literal('Bearer')),
} as const;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;

interface Answering {
  responses: Record<number, unknown>;
  tells?: Record<number, readonly AnswerHeader[]>;
}

/** Returns the headers of an operation's answers with a given status. */
export function answerHeaders({ responses, tells }: Answering, status: number): AnswerHeader[] {
  const headers: AnswerHeader[] = ['X-Request-Id', ...(tells?.[status] ?? [])];
  if (status === 401) headers.push('WWW-Authenticate');
  if (status === 429 || status === 503) headers.push('Retry-After');
  if (responses[304] === null && (status === 200 || status === 304)) headers.push('ETag');
  return headers;
}
