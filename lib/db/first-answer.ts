import { fromShown, type ShownRequest, type ShownValues } from '#lib/db/shown-request';

/** What was answered first under an idempotency key, as it is kept: the request or the refusal. Neither where the key is new. */
export interface FirstAnswer {
  shown: ShownRequest | null;
  /** Its bytes and the status that they came with. */
  refusal: { body: string; status: number } | null;
}

/** What the database's `first_answer` has of one; of what never has a refusal, the request alone. */
export type FirstAnswerValues = [shown: ShownValues | null, body?: string | null, status?: number | null];

export const firstAnswerOf = ([shown, body, status]: FirstAnswerValues): FirstAnswer => ({
  shown: shown && fromShown(shown),
  refusal: body ? { body, status: status! } : null,
});
