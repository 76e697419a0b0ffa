import '#lib/process/env-file';
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

// A web process, which needs a running database. `npm start` runs WEB_CONCURRENCY of them.

const ROOT = import.meta.dirname;
singleton('server', () => true);
const dev = process.argv.includes('--dev');
// set before Next and React are loaded below: they choose their build by NODE_ENV
Object.assign(process.env, {
  NODE_ENV: dev ? 'development' : 'production',
  NEXT_TELEMETRY_DISABLED: '1',
  // as `next start --experimental-next-config-strip-types` does: Node reads next.config.ts instead of Next's compiler
  __NEXT_NODE_NATIVE_TS_LOADER_ENABLED: 'true',
});

/** Parts that have been started so far. */
const parts: { web?: WebServer; followed?: { close(): Promise<void> }[] } = {};

async function start(): Promise<void> {
  const { HOST, PORT } = env();
  tellUnknownSettings();
  requireCatalog();
  const web = (parts.web = await openWebServer(HOST, PORT, dev));
  const [listener] = await Promise.all([listenerOf(web), migrateDatabase().then(requireSameDeployment)]);
  const [{ ensureFirstAccount }, { followSettings }, { publishMetrics }] = await Promise.all([
    import('#lib/accounts/first-account'),
    import('#lib/catalog/settings'),
    import('#lib/http/shared-metrics'),
  ]);
  const [first, ...followed] = await Promise.all([
    ensureFirstAccount(),
    followSettings({ mirrored: true }),
    publishMetrics(),
  ]);
  parts.followed = followed;
  // before requests are served: a failure before this process is ready fails the whole start
  const introduction = first && (await introduce(first));
  web.serve(listener);
  // workers sweep too, but this machine may have none
  void sweepTemporary(new Date()).catch((error: unknown) => log().warn({ err: error }, 'temporary files not swept'));
  if (introduction) console.log(introduction);
  log().info('web ready');
  process.send?.('ready');
}

/** Loads Next and returns its listener; called once the port is taken, since loading takes a while. */
async function listenerOf({ server }: WebServer): Promise<Parameters<WebServer['serve']>[0]> {
  const { prepareListener } = await import('./web-listener.ts');
  return prepareListener(server, { root: ROOT, dev });
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
