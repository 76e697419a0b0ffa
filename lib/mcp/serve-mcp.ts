import { randomUUID } from 'node:crypto';
import { createMcpHandler, localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import { verifyApiKey, type Caller } from '#lib/accounts/callers';
import { env } from '#lib/env';
import { AppError } from '#lib/errors';
import { getKeyCaller } from '#lib/http/caller';
import { errorResponse } from '#lib/http/error-response';
import { readJson } from '#lib/http/read-json';
import { log } from '#lib/log';
import { mcpServer } from '#lib/mcp/server';
import { verifyAccessToken } from '#lib/oauth/access-token';
import { challenge } from '#lib/oauth/resource';
import { singleton } from '#lib/singleton';

/** Every message stands for itself, whichever web process it comes to: clients of both kinds of the protocol are served. */
const handler = () =>
  singleton('mcp.handler', () =>
    createMcpHandler(({ authInfo }) => mcpServer(authInfo?.extra?.caller as Caller), {
      // a stream from the start: what waits long shows that it lives
      responseMode: 'sse',
      onerror: error => log().info({ reason: error.message }, 'mcp message refused'),
    }),
  );

/** Answers a message of an MCP client that has an API key, or a token of an app that somebody let in. */
export async function serveMcp(request: Request): Promise<Response> {
  requireOwnAddress(request.headers);
  const caller = await getKeyCaller(request, verify).catch(challenged);
  if (caller instanceof Response) return caller;
  const parsedBody = await readJson(request, 'invalid_request');
  if (Array.isArray(parsedBody)) throw new AppError('invalid_request', 'Send one message at a time, not a list.');
  const authInfo = { token: '', clientId: '', scopes: [], extra: { caller } };
  return handler().fetch(request, { authInfo, parsedBody });
}

const verify = async (token: string, address: string) =>
  (await verifyApiKey(token, address)) ?? (await verifyAccessToken(token, address));

/** Who comes without a key or token hears where an app gets one. */
function challenged(error: unknown): Response {
  if (!(error instanceof AppError && error.code === 'unauthorized')) throw error;
  const response = errorResponse(error, randomUUID());
  response.headers.set('www-authenticate', challenge());
  return response;
}

/** A page that reaches this server under a name of its own, or from another site, has no business here. */
function requireOwnAddress(headers: Headers): void {
  const { BASE_URL } = env();
  const origin = headers.get('origin');
  const host = validateHostHeader(headers.get('host'), [new URL(BASE_URL).hostname, ...localhostAllowedHostnames()]);
  if (host.ok && (origin === null || origin === BASE_URL)) return;
  throw new AppError('forbidden', `This is the MCP server of ${BASE_URL}; use ${BASE_URL}/mcp, outside of browsers.`);
}
