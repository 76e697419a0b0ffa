import { log } from '#lib/log';
import { claimFetches, fetchMedia, FETCHED_AT_A_TIME } from '#lib/worker/fetch-media';
import { keepLooking, type Loop } from '#lib/worker/loop';
import type { Runs } from '#lib/worker/runs';

interface Options {
  worker: string;
  runs: Runs;
}

/** Fetches the media of new requests, before they wait for a server. What is not here when it stops, others fetch. */
export function startFetcher({ worker, runs }: Options): Loop {
  const stopping = new AbortController();
  let fetching = 0;
  const loop = keepLooking('media to fetch', async () => {
    const room = FETCHED_AT_A_TIME - fetching;
    const claims = room > 0 ? await claimFetches(worker, room) : [];
    for (const claim of claims) {
      fetching += 1;
      log().info({ requestId: claim.id, claim: claim.claim }, 'fetching media');
      void runs
        .begin(claim, ({ stop }) => fetchMedia(claim, stop, stopping.signal))
        .catch((error: unknown) => log().error({ err: error, requestId: claim.id }, 'a claim could not be settled'))
        .finally(() => {
          fetching -= 1;
          loop.wake();
        });
    }
    return claims.length > 0;
  });
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      stopping.abort();
    },
  };
}
