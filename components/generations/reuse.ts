import type { RequestWire } from '#lib/contract/schemas';

type Made = Pick<RequestWire, 'request_id' | 'architecture'>;

/** The form filled as this request was, or with its seed so that the very same comes again. Of what a recipe made it is the recipe's. */
export const settingsHref = (
  { request_id, architecture, run }: Made & Pick<RequestWire, 'run'>,
  hasSeed = false,
): string =>
  run
    ? `/recipes/${run.recipe}?run=${run.run_id}`
    : `/create/${architecture}?from=${request_id}${hasSeed ? '&seed=same' : ''}`;

/** The form filled as something was that somebody shared. */
export const remixHref = ({ request_id, architecture }: Made, token: string): string =>
  `/create/${architecture}?from=${request_id}&shared=${token}`;
