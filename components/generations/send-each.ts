import pMap from 'p-map';
import type { QueryClient } from '@tanstack/react-query';
import type { api } from '#lib/client/queries';
import { outdateHistory } from '#lib/client/outdate-history';
import { patchRuns } from '#lib/client/patch-runs';
import { stillThere } from '#lib/client/still-there';
import type { RequestWire } from '#lib/contract/schemas';

export type Send = typeof api.setFavourite;

const AT_ONCE = 4;
/** Filters that depend on marks; kept results do not expire. All are outdated, whichever mark `send` sets. */
const MARKS = ['favourite', 'kept', 'expiring'] as const;

/** Requests with pending marks: their state on the server, and the number of marks. */
const marked = new Map<string, { known: RequestWire; marks: number }>();
let line: Promise<unknown> = Promise.resolve();

/**
 * Sends a mark for each request after all earlier marks are answered, so that the last one counts; runs have `shown`
 * until then. Returns the state of requests without further pending marks, and the reason if some marks failed.
 */
export async function sendEach(
  client: QueryClient,
  requests: readonly RequestWire[],
  shown: readonly RequestWire[],
  send: Send,
): Promise<{ answers: RequestWire[]; reason: string }> {
  for (const request of requests) {
    const { known, marks } = marked.get(request.request_id) ?? { known: request, marks: 0 };
    marked.set(request.request_id, { known, marks: marks + 1 });
  }
  const outdateMarked = () => MARKS.forEach(name => outdateHistory(client, name));
  let reason = '';
  const mark = async ({ request_id }: RequestWire) => {
    try {
      const known = await send({ params: { request_id } });
      marked.get(request_id)!.known = known;
    } catch (error) {
      reason = (error as Error).message;
    }
  };
  outdateMarked();
  patchRuns(client, shown);
  line = line.then(() => pMap(requests, mark, { concurrency: AT_ONCE }));
  await line;
  outdateMarked();
  const answers = requests.flatMap(({ request_id }) => {
    const one = marked.get(request_id)!;
    one.marks--;
    if (one.marks > 0) return [];
    marked.delete(request_id);
    return one.known;
  });
  patchRuns(client, answers);
  // reads the requests again; if that fails, too, the lists keep what they show
  if (reason)
    void stillThere(
      client,
      requests.map(({ request_id }) => request_id),
    ).catch(() => {});
  return { answers, reason };
}
