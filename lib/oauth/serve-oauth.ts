import type { IncomingMessage, ServerResponse } from 'node:http';
import { toFetchResponse, toReqRes } from 'fetch-to-node';
import { countAttempt } from '#lib/accounts/throttle';
import { env } from '#lib/env';
import { clientAddress } from '#lib/http/client-address';
import { authorizationServer } from '#lib/oauth/authorization-server';
import { singleton } from '#lib/singleton';

/**
 * Paths that store nothing for an anonymous caller, and so are not rate limited. All other paths are, since the library
 * also matches upper case and a trailing slash.
 */
const UNCOUNTED = /^\/(\.well-known\/oauth-authorization-server|oauth\/(token|revoke|jwks|authorize\/[\w-]+))$/;

const listener = () => singleton('oauth.listener', () => authorizationServer().callback());

/** Lets the authorization server handle a request. Throws `rate_limited`. */
export async function serveOauth(request: Request): Promise<Response> {
  if (!UNCOUNTED.test(new URL(request.url).pathname))
    await countAttempt('LIMIT_APPS_PER_ADDRESS', clientAddress(request));
  const { incoming, outgoing } = asNode(request);
  void listener()(incoming, outgoing);
  const { status, headers, body } = await toFetchResponse(outgoing);
  const kept = new Headers(headers);
  kept.delete('connection');
  return new Response(body, { status, headers: kept });
}

/** Converts a request to Node's objects, with the public host and protocol whatever address it was sent to. */
export function asNode(request: Request): { incoming: IncomingMessage; outgoing: ServerResponse } {
  const { host, protocol } = new URL(env().BASE_URL);
  const { req: incoming, res: outgoing } = toReqRes(request);
  incoming.headers.host = host;
  Object.defineProperty(incoming, 'socket', { value: { encrypted: protocol === 'https:' } });
  return { incoming, outgoing };
}
