import '#lib/process/env-file';
import { requireCatalog } from '#lib/catalog/require-catalog';
import { migrateDatabase } from '#lib/db/migrate';
import { requireSameDeployment } from '#lib/deployment';
import { env } from '#lib/env';
import { publishMetrics } from '#lib/http/shared-metrics';
import { LIMIT_METRIC } from '#lib/limits';
import { runProgram } from '#lib/process/run-program';
import { tellUnknownSettings } from '#lib/process/unknown-settings';
import { startWorker, type Worker } from '#lib/worker/worker';

// A worker process; any number can run on one database.

/** Parts that have been started so far. */
const parts: { figures?: { close(): Promise<void> }; worker?: Worker } = {};

async function start(): Promise<void> {
  env();
  tellUnknownSettings();
  requireCatalog();
  await migrateDatabase();
  await requireSameDeployment();
  parts.figures = await publishMetrics(LIMIT_METRIC);
  parts.worker = await startWorker();
}

async function stop(): Promise<void> {
  await parts.figures?.close();
  await parts.worker?.stop();
}

runProgram({ start, stop });
