import { fromShown, type ShownRequest, type ShownValues } from '#lib/db/shown-request';

/** The stored first answer under an idempotency key: the request or the refusal. Both are null for a new key. */
export interface FirstAnswer {
  shown: ShownRequest | null;
  /** Exact body and HTTP status of the refusal. */
  refusal: { body: string; status: number } | null;
}

/** Result of the SQL function `first_answer`; only the request where no refusals are recorded. */
export type FirstAnswerValues = [shown: ShownValues | null, body?: string | null, status?: number | null];

export const firstAnswerOf = ([shown, body, status]: FirstAnswerValues): FirstAnswer => ({
  shown: shown && fromShown(shown),
  refusal: body ? { body, status: status! } : null,
});
