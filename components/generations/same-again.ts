import type { NewSubmission } from '#components/generations/send-visit';
import { placeOf } from '#components/matrix/matrices';
import { api } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

/** Returns a submission that repeats a request for the price that it had. */
export async function sameAgain(request: RequestWire): Promise<NewSubmission> {
  const { request_id, architecture, type, status, billing, expected } = request;
  const { config } = await api.getRequest({ params: { request_id } });
  const aspect = expected.height ? expected.width / expected.height : null;
  // a failed request of a matrix left its place empty, which the repeat fills
  const place = status === 'failed' ? placeOf(request_id) : undefined;
  return { architecture, type, body: { ...config }, gems: billing.gems_charged, aspect, place };
}
