import { PgBoss, type Queue } from 'pg-boss';
import { databaseAddress } from '#lib/db/address';
import { engineIds } from '#lib/engines/serving';
import { log } from '#lib/log';
import { queueOf } from '#lib/queue/queues';

/** A dead worker's job is back in the queue within the heartbeat and one pass of the monitor: 12 s. */
const QUEUE = {
  retryLimit: 5,
  retryDelay: 1,
  retryBackoff: false,
  heartbeatSeconds: 10,
  expireInSeconds: 86_400,
  retentionSeconds: 30 * 86_400,
  deleteAfterSeconds: 3_600,
  notify: true,
} as const satisfies Omit<Queue, 'name'>;

/** pg-boss as a worker uses it: with its monitor, and listening for new jobs. */
export function createBoss(): PgBoss {
  const boss = new PgBoss({
    ...databaseAddress(),
    application_name: 'pomona queue',
    max: 4,
    migrate: false,
    createSchema: false,
    schedule: false,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    useListenNotify: true,
  });
  boss.on('error', error => log().warn({ err: error }, 'queue error'));
  boss.on('warning', warning => log().warn({ warning }, 'queue warning'));
  return boss;
}

/** Brings pg-boss's own schema and the queue of every engine up to date. Part of the migrations. */
export async function prepareQueues(): Promise<void> {
  const boss = new PgBoss({ ...databaseAddress(), max: 2, supervise: false, schedule: false });
  boss.on('error', error => log().warn({ err: error }, 'queue error'));
  await boss.start();
  try {
    for (const engine of engineIds()) {
      await boss.createQueue(queueOf(engine), QUEUE);
      await boss.updateQueue(queueOf(engine), QUEUE);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}
