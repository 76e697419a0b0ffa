/** What was answered first under an idempotency key, as it is kept: the request or the refusal. Neither where the key is new. */
export interface FirstAnswer {
  /** Columns of `requests`. */
  row: Record<string, unknown> | null;
  /** Its bytes and the status that they came with. */
  refusal: { body: string; status: number } | null;
}

/** What a function `f` that finds first answers gives of one. */
export const FIRST_ANSWER = '(f.refusal).body as "refusalBody", (f.refusal).status as "refusalStatus", (f.request).*';

/** A first answer from these columns; those of the refusal may be missing. */
export function firstAnswerOf({ refusalBody, refusalStatus, ...row }: Record<string, unknown>): FirstAnswer {
  const refusal = refusalBody ? { body: String(refusalBody), status: Number(refusalStatus) } : null;
  return { row: row.id === null ? null : row, refusal };
}
