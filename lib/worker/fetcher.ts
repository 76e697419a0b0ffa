import type { Claim } from '#lib/life/claim';
import { log } from '#lib/log';
import { claimFetches, fetchMedia, FETCHED_AT_A_TIME } from '#lib/worker/fetch-media';
import { keepWorking, type Loop } from '#lib/worker/loop';
import { hasRoom } from '#lib/worker/room';
import type { Runs } from '#lib/worker/runs';

interface Options {
  worker: string;
  runs: Runs;
}

/**
 * Starts fetching the media of new requests, which then wait for a server. Fetches interrupted by `stop` are left to
 * other workers.
 */
export function startFetcher({ worker, runs }: Options): Loop {
  const stopping = new AbortController();
  const loop = keepWorking('media to fetch', FETCHED_AT_A_TIME, take, work);
  return {
    wake: loop.wake,
    stop() {
      stopping.abort();
      return loop.stop();
    },
  };

  async function take(places: number): Promise<Claim[]> {
    return (await hasRoom()) ? claimFetches(worker, places) : [];
  }

  async function work(claim: Claim): Promise<void> {
    log().info({ requestId: claim.id, claim: claim.claim }, 'fetching media');
    await runs
      .begin(claim, stop => fetchMedia(claim, stop, stopping.signal))
      .catch((error: unknown) => log().error({ err: error, requestId: claim.id }, 'claim not settled'));
  }
}
