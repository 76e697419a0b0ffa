import { join } from 'node:path';
import { writeKeyUses } from '#lib/accounts/key-use';
import { closeDatabase } from '#lib/db/client';
import { startEmbedded } from '#lib/db/embedded';
import { migrateDatabase } from '#lib/db/migrate';
import { requireSameDeployment } from '#lib/deployment';
import { env, EnvError } from '#lib/env';
import { openWebServer, type WebServer } from '#lib/http/web-server';
import { whatIsOpen } from '#lib/http/what-is-open';
import { log } from '#lib/log';
import { StartError } from '#lib/process/start-error';
import { stopping } from '#lib/process/stopping';
import { onStopRequest } from '#lib/process/stop-signals';
import { supervise, type Running } from '#lib/process/supervise';
import { startChild } from '#lib/process/start-child';
import { singleton } from '#lib/singleton';

const ROOT = import.meta.dirname;
singleton('server', () => true);
const dev = process.argv.includes('--dev');
// Next and React choose their build by it, when they are loaded below
Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' });

const WORKER_DRAIN_MS = 30_000;
/** glibc keeps what rendering and decoding freed, several hundred MB of it, unless it is told to give it back. */
const GIVE_MEMORY_BACK = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '100000',
  MALLOC_MMAP_THRESHOLD_: '100000',
};

/** What runs by now, to be stopped in the order web and worker, database. */
const parts: {
  web?: WebServer;
  documents?: { close(): Promise<void> };
  worker?: Pick<Running, 'stop'>;
  database?: Pick<Running, 'stop'>;
} = {};

async function start(): Promise<void> {
  const { HOST, PORT, DATABASE_URL, WORKER } = env();
  const web = (parts.web = await openWebServer(HOST, PORT, dev));
  if (!dev) await (await import('./scripts/build.ts')).ensureBuild();
  const [listener] = await Promise.all([prepareListener(web), prepareDatabase(!DATABASE_URL)]);
  const [accounts, states, abilities, { checkDocument }, { mirrorDocuments }] = await Promise.all([
    import('#lib/accounts/first-account'),
    import('#lib/catalog/architecture-states'),
    import('#lib/catalog/engine-abilities'),
    import('#lib/catalog/check-document'),
    import('#lib/documents/mirror'),
  ]);
  const [first, documents] = await Promise.all([
    accounts.ensureFirstAccount(),
    mirrorDocuments(checkDocument),
    states.followArchitectureStates(),
    abilities.followAbilities(),
  ]);
  parts.documents = documents;
  web.serve(listener);
  if (WORKER === 'on') {
    const execArgv = [...process.execArgv, ...(dev ? ['--watch', '--watch-preserve-output'] : [])];
    const options = { execArgv, env: GIVE_MEMORY_BACK, drainMs: WORKER_DRAIN_MS };
    parts.worker = await supervise('worker', () => startChild(join(ROOT, 'worker.ts'), options));
  }
  announce(first);
  process.send?.('ready');
}

async function prepareDatabase(embedded: boolean): Promise<void> {
  if (embedded) parts.database = await supervise('embedded database', startEmbedded);
  await migrateDatabase();
  await requireSameDeployment();
}

/** In production the API goes the direct way and pages go through Next; in development Next reloads both. */
async function prepareListener({ server }: WebServer): Promise<Parameters<WebServer['serve']>[0]> {
  const [
    { loadFastLane },
    { createPageLane },
    guard,
    { noteClientAddress },
    { catalog },
    routerState,
    { default: next },
  ] = await Promise.all([
    import('#lib/http/fast-lane'),
    import('#lib/http/page-lane'),
    import('#lib/http/guard'),
    import('#lib/http/client-address'),
    import('#lib/catalog/catalog'),
    import('next/dist/server/app-render/parse-and-validate-flight-router-state.js'),
    import('next'),
  ]);
  const { HOST, PORT } = env();
  const app = next({ dev, dir: ROOT, hostname: HOST, port: PORT, httpServer: server });
  const [fastLane] = await Promise.all([dev ? () => false : loadFastLane(join(ROOT, 'app')), app.prepare()]);
  const pageLane = createPageLane(app.getRequestHandler(), {
    revision: () => catalog().revision,
    parseState: routerState.parseAndValidateFlightRouterState,
    dev,
  });
  return (incoming, outgoing) => {
    if (guard.refuseOddTarget(incoming, outgoing)) return;
    noteClientAddress(incoming);
    return fastLane(incoming, outgoing) || pageLane(incoming, outgoing);
  };
}

function announce(first: { email: string; apiKey: string; password: string } | null): void {
  const { BASE_URL } = env();
  console.log(`\nPomona is ready: ${BASE_URL}\n`);
  for (const line of whatIsOpen(env())) console.log(`  ${line}`);
  if (!first) return;
  console.log(`
  Account   ${first.email}, the operator
  Password  ${first.password}   (shown only this once)
  API key   ${first.apiKey}   (shown only this once)

  curl ${BASE_URL}/v1/mango/generate \\
    -H 'Authorization: Bearer ${first.apiKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"prompt": "an orchard in the morning"}'
`);
}

async function stop(): Promise<void> {
  stopping().abort();
  await Promise.all([parts.web?.close(), parts.documents?.close(), parts.worker?.stop()]);
  await writeKeyUses();
  await closeDatabase();
  await parts.database?.stop();
}

let stoppingSince = 0;

async function onStop(reason: string): Promise<void> {
  if (stoppingSince) {
    // npm passes a Ctrl-C on that the terminal has sent us already
    if (Date.now() - stoppingSince > 1_000) process.exit(130);
    return;
  }
  stoppingSince = Date.now();
  log().info({ reason }, 'stopping');
  await stop().catch(error => log().error({ err: error }, 'stopping failed'));
  process.exit(0);
}

onStopRequest(onStop);

start().catch(async error => {
  if (stoppingSince) return;
  console.error(error instanceof EnvError || error instanceof StartError ? error.message : error);
  await stop().catch(() => {});
  process.exit(1);
});
