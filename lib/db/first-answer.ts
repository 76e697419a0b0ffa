import type { JsonRow } from '#lib/db/rows';

/** What was answered first under an idempotency key, as it is kept: the request or the refusal. Neither where the key is new. */
export interface FirstAnswer {
  /** Columns of `requests`. */
  row: JsonRow | null;
  /** Its bytes and the status that they came with. */
  refusal: { body: string; status: number } | null;
}

/** What a function `f` that finds first answers gives of one. */
export const FIRST_ANSWER =
  '(f.refusal).body as "refusalBody", (f.refusal).status as "refusalStatus", to_json(f.request) as request';

/** Those columns; none of them where no answer is looked for. */
export interface FirstAnswerRow {
  refusalBody?: string | null;
  refusalStatus?: number | null;
  request?: JsonRow | null;
}

export function firstAnswerOf({ refusalBody, refusalStatus, request }: FirstAnswerRow): FirstAnswer {
  return { row: request ?? null, refusal: refusalBody ? { body: refusalBody, status: refusalStatus! } : null };
}
