import '#lib/process/env-file';
import { requireCatalog } from '#lib/catalog/require-catalog';
import { migrateDatabase } from '#lib/db/migrate';
import { requireSameDeployment } from '#lib/deployment';
import { env } from '#lib/env';
import { publishMetrics } from '#lib/http/shared-metrics';
import { LIMIT_METRIC } from '#lib/limits';
import { startWorker } from '#lib/worker/worker';
import { tellWhy } from '#lib/process/run-program';
import { onStopRequest } from '#lib/process/stop-signals';
import { tellUnknownSettings } from '#lib/process/unknown-settings';

/** A worker process: run as many as the machines have room for. */
async function main(): Promise<void> {
  env();
  tellUnknownSettings();
  requireCatalog();
  const stop = Promise.withResolvers<void>();
  // a child of the web process waits for its word, though Ctrl-C reaches both, and stops when it is gone
  onStopRequest(reason => (reason === 'SIGINT' && process.connected) || stop.resolve());

  await migrateDatabase();
  await requireSameDeployment();
  const [worker, figures] = await Promise.all([startWorker(), publishMetrics(LIMIT_METRIC)]);
  await stop.promise;
  await figures.close();
  await worker.stop();
}

main().then(
  () => process.exit(0),
  error => {
    tellWhy(error);
    process.exit(1);
  },
);
