import type { RequestWire } from '#lib/contract/schemas';

/** Where the zip of these requests comes from. */
export const zipHref = (requests: readonly RequestWire[]): string =>
  `/api/history/zip?ids=${requests.map(({ request_id }) => request_id).join(',')}`;
