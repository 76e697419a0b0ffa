import '#lib/process/env-file';
import { join } from 'node:path';
import type { FirstAccount } from '#lib/accounts/first-account';
import { writeKeyUses } from '#lib/accounts/key-use';
import { requireCatalog } from '#lib/catalog/require-catalog';
import { closeDatabase } from '#lib/db/client';
import { migrateDatabase } from '#lib/db/migrate';
import { requireSameDeployment } from '#lib/deployment';
import { env } from '#lib/env';
import { openWebServer, type WebServer } from '#lib/http/web-server';
import { log } from '#lib/log';
import { runProgram } from '#lib/process/run-program';
import { stopping } from '#lib/process/stopping';
import { tellUnknownSettings } from '#lib/process/unknown-settings';
import { sweepTemporary } from '#lib/retention/sweep-temporary';
import { singleton } from '#lib/singleton';

// a web process, on a database that is there: `npm start` runs as many as it is told to

const ROOT = import.meta.dirname;
singleton('server', () => true);
const dev = process.argv.includes('--dev');
// Next and React choose their build by it, when they are loaded below
Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' });

/** What runs by now. */
const parts: { web?: WebServer; followed?: { close(): Promise<void> }[] } = {};

async function start(): Promise<void> {
  const { HOST, PORT } = env();
  tellUnknownSettings();
  requireCatalog();
  const web = (parts.web = await openWebServer(HOST, PORT, dev));
  const [listener] = await Promise.all([prepareListener(web), migrateDatabase().then(requireSameDeployment)]);
  const [accounts, states, abilities, { checkDocument }, { mirrorDocuments }, { publishMetrics }] = await Promise.all([
    import('#lib/accounts/first-account'),
    import('#lib/catalog/architecture-states'),
    import('#lib/catalog/engine-abilities'),
    import('#lib/catalog/check-document'),
    import('#lib/documents/mirror'),
    import('#lib/http/shared-metrics'),
  ]);
  const [first, ...followed] = await Promise.all([
    accounts.ensureFirstAccount(),
    mirrorDocuments(checkDocument),
    states.followArchitectureStates(),
    abilities.followAbilities(),
    publishMetrics(),
  ]);
  parts.followed = followed;
  // before anybody is served: until this process is ready, its end is that of the start
  const introduction = first && (await introduce(first));
  web.serve(listener);
  // a machine may have no worker, which does it otherwise
  void sweepTemporary(new Date()).catch((error: unknown) => log().warn({ err: error }, 'temporary files not swept'));
  if (introduction) console.log(introduction);
  log().info('web ready');
  process.send?.('ready');
}

/** In production the API goes the direct way and pages go through Next; in development Next reloads both. */
async function prepareListener({ server }: WebServer): Promise<Parameters<WebServer['serve']>[0]> {
  const [
    { loadFastLane },
    { createPageLane },
    guard,
    { noteClientAddress },
    { letBodyIn },
    { expectsBody },
    { catalog },
    routerState,
    { default: next },
  ] = await Promise.all([
    import('#lib/http/fast-lane'),
    import('#lib/http/page-lane'),
    import('#lib/http/guard'),
    import('#lib/http/client-address'),
    import('#lib/http/limit-bodies'),
    import('#lib/http/limit-times'),
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
    build: join(ROOT, '.next/static'),
    dev,
  });
  return async (incoming, outgoing) => {
    if (guard.refuseOddTarget(incoming, outgoing)) return;
    noteClientAddress(incoming);
    if (expectsBody(incoming) && !(await letBodyIn(incoming, outgoing))) return;
    return fastLane(incoming, outgoing) || pageLane(incoming, outgoing);
  };
}

async function introduce({ email, password, apiKey }: FirstAccount): Promise<string> {
  const { exampleModel } = await import('#lib/docs/example-model');
  return `
  Account   ${email}, the operator
  Password  ${password}   (shown only this once)
  API key   ${apiKey}   (shown only this once)

  curl ${env().BASE_URL}/v1/${exampleModel()?.id ?? 'mango'}/generate \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"prompt": "an orchard in the morning"}'
`;
}

async function stop(): Promise<void> {
  stopping().abort();
  await Promise.all([parts.web?.close(), ...(parts.followed ?? []).map(part => part.close())]);
  await writeKeyUses();
  await closeDatabase();
}

runProgram({ start, stop });
