import type { RequestWire } from '#lib/contract/schemas';

/** Returns the URL of a zip with the results of these requests. */
export const zipHref = (requests: readonly RequestWire[]): string =>
  `/api/history/zip?ids=${requests.map(({ request_id }) => request_id).join(',')}`;
