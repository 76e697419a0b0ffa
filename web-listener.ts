import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import next from 'next';
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js';
import { catalog } from '#lib/catalog/catalog';
import { env } from '#lib/env';
import { noteClientAddress } from '#lib/http/client-address';
import { loadFastLane } from '#lib/http/fast-lane';
import { refuseOddTarget } from '#lib/http/guard';
import { letBodyIn } from '#lib/http/limit-bodies';
import { expectsBody } from '#lib/http/limit-times';
import { createPageLane } from '#lib/http/page-lane';

/** Creates the request listener. In production, API requests bypass Next; in development, Next serves everything. */
export async function prepareListener(
  httpServer: Server,
  { root, dev }: { root: string; dev: boolean },
): Promise<(incoming: IncomingMessage, outgoing: ServerResponse) => unknown> {
  const { HOST, PORT } = env();
  const app = next({ dev, dir: root, hostname: HOST, port: PORT, httpServer });
  const [fastLane] = await Promise.all([dev ? () => false : loadFastLane(join(root, 'app')), app.prepare()]);
  const pageLane = createPageLane(app.getRequestHandler(), {
    revision: () => catalog().revision,
    parseState: parseAndValidateFlightRouterState,
    build: join(root, '.next/static'),
    dev,
  });
  return async (incoming, outgoing) => {
    if (refuseOddTarget(incoming, outgoing)) return;
    noteClientAddress(incoming);
    if (expectsBody(incoming) && !(await letBodyIn(incoming, outgoing))) return;
    return fastLane(incoming, outgoing) || pageLane(incoming, outgoing);
  };
}
