import { join } from 'node:path';
import { startChild } from '#lib/process/start-child';
import { onStopRequest } from '#lib/process/stop-signals';
import { supervise, type Running } from '#lib/process/supervise';

// `npm start`: the web process, and another one whenever it dies; it looks after the rest itself

const SERVER = join(import.meta.dirname, 'server.ts');
/** It drains for 25 s, its worker for 30, and the database closes after both. */
const DRAIN_MS = 45_000;

const stopped = new AbortController();
const options = { drainMs: DRAIN_MS, saysReady: true, signal: stopped.signal };
let web: Pick<Running, 'stop'> | undefined;

onStopRequest(() => {
  if (stopped.signal.aborted) return;
  stopped.abort();
  void web?.stop().then(() => process.exit(0));
});

try {
  web = await supervise('web', () => startChild(SERVER, options));
} catch {
  // it has said why
  process.exit(stopped.signal.aborted ? 0 : 1);
}
