import type { RequestWire } from '#lib/contract/schemas';

type Made = Pick<RequestWire, 'request_id' | 'architecture'>;

/** The form filled as this request was; with `seed` so that the very same comes again. */
export const settingsHref = ({ request_id, architecture }: Made, { seed = false } = {}): string =>
  `/create/${architecture}?from=${request_id}${seed ? '&seed=same' : ''}`;

/** The form filled as something was that somebody shared. */
export const remixHref = ({ request_id, architecture }: Made, token: string): string =>
  `/create/${architecture}?from=${request_id}&shared=${token}`;
