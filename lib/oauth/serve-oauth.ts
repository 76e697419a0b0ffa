import type { IncomingMessage, ServerResponse } from 'node:http';
import { toFetchResponse, toReqRes } from 'fetch-to-node';
import { countAttempt } from '#lib/accounts/throttle';
import { env } from '#lib/env';
import { clientAddress } from '#lib/http/client-address';
import { authorizationServer } from '#lib/oauth/authorization-server';
import { singleton } from '#lib/singleton';

/**
 * What leaves nothing behind, or not for anybody. All else counts, however it is spelled: the library takes capitals and a slash at the
 * end for the same address.
 */
const UNCOUNTED = /^\/(\.well-known\/oauth-authorization-server|oauth\/(token|revoke|jwks|authorize\/[\w-]+))$/;

const listener = () => singleton('oauth.listener', () => authorizationServer().callback());

/** Has the authorization server answer. Throws `rate_limited`. */
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

/** The request as Node has them, under the public address whatever name it came by. */
export function asNode(request: Request): { incoming: IncomingMessage; outgoing: ServerResponse } {
  const { host, protocol } = new URL(env().BASE_URL);
  const { req: incoming, res: outgoing } = toReqRes(request);
  incoming.headers.host = host;
  Object.defineProperty(incoming, 'socket', { value: { encrypted: protocol === 'https:' } });
  return { incoming, outgoing };
}
