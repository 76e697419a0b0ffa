import { fromShown, shownOf, type ShownRequest, type ShownValues } from '#lib/db/shown-request';

/** What was answered first under an idempotency key, as it is kept: the request or the refusal. Neither where the key is new. */
export interface FirstAnswer {
  shown: ShownRequest | null;
  /** Its bytes and the status that they came with. */
  refusal: { body: string; status: number } | null;
}

/** What a function `f` that finds first answers gives of one. */
export const FIRST_ANSWER = `(f.refusal).body as "refusalBody", (f.refusal).status as "refusalStatus", ${shownOf('f.request')} as shown`;

/** Those columns; of what never has a refusal, the request alone. */
export interface FirstAnswerRow {
  refusalBody?: string | null;
  refusalStatus?: number | null;
  shown: ShownValues | null;
}

export function firstAnswerOf({ refusalBody, refusalStatus, shown }: FirstAnswerRow): FirstAnswer {
  return {
    shown: shown && fromShown(shown),
    refusal: refusalBody ? { body: refusalBody, status: refusalStatus! } : null,
  };
}
