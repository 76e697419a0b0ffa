import pMap from 'p-map';
import type { api } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

export type Send = typeof api.setFavourite;

const AT_ONCE = 4;

/** Sends a mark for each of them: how they stand now, and why it did not come to all. */
export async function sendEach(
  requests: readonly RequestWire[],
  send: Send,
): Promise<{ answers: RequestWire[]; reason: string }> {
  let reason = '';
  const answers = await pMap(
    requests,
    request =>
      send({ params: { request_id: request.request_id } }).catch((error: Error) => {
        reason = error.message;
        return request;
      }),
    { concurrency: AT_ONCE },
  );
  return { answers, reason };
}
