import type { RequestWire } from '#lib/contract/schemas';

type Made = Pick<RequestWire, 'request_id' | 'architecture'>;

/** Returns the URL of the form with the settings of a request, optionally its seed, or of the form of its recipe. */
export const settingsHref = (
  { request_id, architecture, run }: Made & Pick<RequestWire, 'run'>,
  hasSeed = false,
): string =>
  run
    ? `/recipes/${run.recipe}?run=${run.run_id}`
    : `/create/${architecture}?from=${request_id}${hasSeed ? '&seed=same' : ''}`;

/** Returns the URL of the form with the settings of a request that another user shared. */
export const remixHref = ({ request_id, architecture }: Made, token: string): string =>
  `/create/${architecture}?from=${request_id}&shared=${token}`;
