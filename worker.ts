import { migrateDatabase } from '#lib/db/migrate';
import { env, EnvError } from '#lib/env';
import { startWorker } from '#lib/queue/worker';
import { StartError } from '#lib/start-error';

/** A worker process: run as many as the machines have room for. */
async function main(): Promise<void> {
  env();
  const stop = Promise.withResolvers<void>();
  process.on('SIGTERM', () => stop.resolve());
  // a child of the web process hears from it when to stop, and stops when it is gone; Ctrl-C reaches both at once
  process.on('SIGINT', () => process.connected || stop.resolve());
  process.on('disconnect', () => stop.resolve());

  await migrateDatabase();
  const worker = await startWorker();
  await stop.promise;
  await worker.stop();
}

main().then(
  () => process.exit(0),
  error => {
    console.error(error instanceof EnvError || error instanceof StartError ? error.message : error);
    process.exit(1);
  },
);
