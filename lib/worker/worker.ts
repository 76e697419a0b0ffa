import { followSettings } from '#lib/catalog/settings';
import { closeDatabase } from '#lib/db/client';
import { listen } from '#lib/db/listen';
import { OWED_CHANNEL } from '#lib/db/owe';
import { closeEngines } from '#lib/engines/registry';
import type { Server } from '#lib/engines/server';
import { newId } from '#lib/ids';
import { giveBack, type Claim } from '#lib/life/claim';
import { UNFETCHED_CHANNEL, WAITING_CHANNEL } from '#lib/life/doorbell';
import { FINAL_CHANNEL } from '#lib/life/finish';
import { log } from '#lib/log';
import { MESSAGES_CHANNEL } from '#lib/webhooks/deliveries';
import { startDispatcher } from '#lib/worker/dispatch';
import { startFetcher } from '#lib/worker/fetcher';
import { startOutbox } from '#lib/worker/outbox';
import { startPresence } from '#lib/worker/presence';
import { runGeneration } from '#lib/worker/run';
import { Runs } from '#lib/worker/runs';
import { startProbes } from '#lib/worker/probes';
import { ownServers, sharedServers } from '#lib/worker/servers';
import { startSweeps } from '#lib/worker/sweeps';
import { startWebhooks } from '#lib/worker/webhooks';

/** Milliseconds that running generations get to end when the worker is told to stop. */
const DRAIN_MS = 25_000;

export interface Worker {
  /** Takes no new work, lets running generations end, gives back the rest, and closes every connection. */
  stop(): Promise<void>;
}

/** Starts a worker: it runs requests on all servers, fetches media, works off the outbox, and runs the sweeps. */
export async function startWorker(): Promise<Worker> {
  const worker = newId();
  const runs = new Runs();
  const drain = new AbortController();
  // workers submit the steps of recipes, so they need the same settings as a web process
  const settings = await followSettings({ mirrored: true });
  const own = ownServers(worker);
  const presence = await startPresence(worker, own, async (held, askedAt) => {
    for (const stray of runs.compare(held, askedAt)) await giveBack(stray);
  });
  const fetcher = startFetcher({ worker, runs });
  const dispatcher = startDispatcher({ worker, own, running: id => runs.on(id), begin });
  const probes = startProbes();
  const webhooks = startWebhooks();
  const outbox = startOutbox(webhooks.wake);
  const listeners = [
    listen(MESSAGES_CHANNEL, webhooks.wake),
    listen(OWED_CHANNEL, outbox.wake),
    listen(WAITING_CHANNEL, dispatcher.wake),
    listen(UNFETCHED_CHANNEL, fetcher.wake),
    listen(FINAL_CHANNEL, id => {
      runs.stop(id);
      // a place on a shared server may be free now
      dispatcher.wake();
    }),
  ];
  const sweeps = startSweeps(presence.isSteady);
  log().info({ worker, servers: [...own, ...sharedServers()].map(({ id }) => id) }, 'worker ready');

  return {
    async stop() {
      // started first, so that the drain time includes all of the shutdown
      const timer = setTimeout(() => drain.abort(), DRAIN_MS);
      await Promise.all([dispatcher, fetcher, outbox, webhooks, probes, sweeps].map(one => one.stop()));
      await runs.settled();
      clearTimeout(timer);
      await Promise.all([presence.stop(), ...[settings, ...listeners].map(one => one.close())]);
      runs.close();
      await closeEngines();
      await closeDatabase();
    },
  };

  function begin(claim: Claim, server: Server): void {
    void runs
      .begin(claim, stop =>
        runGeneration(claim, server, {
          stop,
          drain: drain.signal,
          onSnapshot: snapshot => runs.note(claim, snapshot),
        }),
      )
      .then(() => dispatcher.wake());
  }
}
