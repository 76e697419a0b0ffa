import { closeDatabase } from '#lib/db/client';
import { listen } from '#lib/db/listen';
import { closeEngines, getEngine } from '#lib/engines/registry';
import { engineIds } from '#lib/engines/serving';
import { runGeneration, stopGeneration } from '#lib/generations/run';
import { log } from '#lib/log';
import { createBoss } from '#lib/queue/boss';
import { CANCEL_CHANNEL, queueOf } from '#lib/queue/queues';
import { startPresence, type EngineSlots } from '#lib/queue/presence';
import { startSweeps } from '#lib/queue/sweeps';

/** Time that running generations get to end when the worker is told to stop; what is left goes back to the queue. */
const DRAIN_MS = 25_000;

export interface Worker {
  /** Takes no new work, lets running generations end, and closes every connection. */
  stop(): Promise<void>;
}

/** Consumes the queue of every engine, listens for cancellations, and keeps the sweeps going. */
export async function startWorker(): Promise<Worker> {
  const boss = createBoss();
  await boss.start();
  const cancellations = listen(CANCEL_CHANNEL, stopGeneration);
  const engines: EngineSlots[] = await Promise.all(
    engineIds().map(async engine => ({ engine, slots: (await getEngine(engine)).traits.concurrency })),
  );
  const presence = await startPresence(engines);
  const sweeps = startSweeps();
  await Promise.all(engines.map(consume));
  log().info({ engines: engineIds() }, 'worker ready');

  return {
    async stop() {
      log().info('worker stopping');
      await Promise.all([presence.stop(), sweeps.stop()]);
      await boss.stop({ graceful: true, timeout: DRAIN_MS, close: true });
      await Promise.all([cancellations.close(), closeEngines()]);
      await closeDatabase();
    },
  };

  /** One consumer a slot, so that each can be told by its own id to look again. */
  async function consume({ engine, slots }: EngineSlots): Promise<void> {
    await Promise.all(Array.from({ length: slots }, () => consumeOne(engine)));
  }

  async function consumeOne(engine: string): Promise<void> {
    const options = {
      batchSize: 1,
      pollingIntervalSeconds: 0.5,
      notifyPollingIntervalSeconds: 2,
      heartbeatRefreshSeconds: 3,
    };
    const consumer: string = await boss.work<{ requestId: string }>(queueOf(engine), options, async ([job]) => {
      if (!job) return;
      await runGeneration(job.data.requestId, job.signal);
      // there may be more: look again at once instead of after the polling interval
      boss.notifyWorker(consumer);
    });
  }
}
