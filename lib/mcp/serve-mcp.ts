import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  INVALID_REQUEST,
  localhostAllowedHostnames,
  PARSE_ERROR,
  validateHostHeader,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { verifyApiKey, type Caller } from '#lib/accounts/callers';
import { env } from '#lib/env';
import { AppError } from '#lib/errors';
import { getKeyCaller } from '#lib/http/caller';
import { errorResponse } from '#lib/http/error-response';
import { asReaderOf } from '#lib/http/limit-reads';
import { readAnyJson } from '#lib/http/read-json';
import { log } from '#lib/log';
import { inOwnNames } from '#lib/mcp/agent-error';
import { readsAtOnce } from '#lib/mcp/call-tool';
import { mcpServer } from '#lib/mcp/server';
import { verifyAccessToken } from '#lib/oauth/access-token';
import { challenge } from '#lib/oauth/resource';
import { singleton } from '#lib/singleton';

/** Stateless handler: any web process can answer any message, for clients of both kinds of the protocol. */
const handler = () =>
  singleton('mcp.handler', () =>
    createMcpHandler(
      ({ authInfo, requestInfo }) => mcpServer(authInfo?.extra?.caller as Caller, requestInfo?.headers),
      {
        // a stream from the start keeps the connection of a long wait alive
        responseMode: 'sse',
        onerror: error => log().info({ reason: error.message }, 'MCP message refused'),
      },
    ),
  );

/** Maximum number of messages in a batch (one protocol revision has batches), whose answers are buffered together. */
const MOST_MESSAGES = 10;

/** Answers a message of an MCP client with an API key, or with the access token of an app that a user authorized. */
export async function serveMcp(request: Request): Promise<Response> {
  requireOwnAddress(request.headers);
  const caller = await getKeyCaller(request, verify).catch(challenged);
  if (caller instanceof Response) return caller;
  const parsedBody = await readAnyJson(request, 'invalid_request').catch(unreadable);
  if (parsedBody instanceof Response) return parsedBody;
  if (Array.isArray(parsedBody) && parsedBody.length > MOST_MESSAGES)
    return protocolError(INVALID_REQUEST, 400, `A batch has at most ${MOST_MESSAGES} messages; this one has more.`);
  const authInfo = { token: '', clientId: '', scopes: [], extra: { caller } };
  const answer = async () => {
    const response = await handler().fetch(request, { authInfo, parsedBody });
    // the library sets a weaker cache-control for a stream
    response.headers.set('cache-control', 'no-store, no-transform');
    return response;
  };
  return isLarge(parsedBody) ? asReaderOf(`agent ${caller.accountId}`, request, answer) : answer();
}

const Call = z.object({ method: z.literal('tools/call'), params: z.object({ name: z.string() }) });

/** Whether a message may get a large answer. Calls that wait are excluded, since many may wait at the same time. */
function isLarge(message: unknown): boolean {
  const { data: call } = Call.safeParse(message);
  return Array.isArray(message) || (call !== undefined && readsAtOnce(call.params.name));
}

const verify = async (token: string, address: string) =>
  (await verifyApiKey(token, address)) ?? (await verifyAccessToken(token, address));

/** Answers a request without a valid key or token with a challenge that says where an app gets a token. */
function challenged(error: unknown): Response {
  if (!(error instanceof AppError && error.code === 'unauthorized')) throw error;
  const response = errorResponse(error, randomUUID());
  response.headers.set('www-authenticate', challenge());
  return response;
}

/** Refuses an unreadable body with an error in the form of the protocol. */
function unreadable(error: unknown): Response {
  if (!(error instanceof AppError)) throw error;
  return protocolError(PARSE_ERROR, error.status, inOwnNames(error.message));
}

/** Returns a JSON-RPC error that belongs to no particular message. */
const protocolError = (code: number, status: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });

/** Throws `forbidden` for requests to another host name (DNS rebinding) or from pages of another origin. */
function requireOwnAddress(headers: Headers): void {
  const { BASE_URL } = env();
  const origin = headers.get('origin');
  const host = validateHostHeader(headers.get('host'), [new URL(BASE_URL).hostname, ...localhostAllowedHostnames()]);
  if (host.ok && (origin === null || origin === BASE_URL)) return;
  throw new AppError('forbidden', `This is the MCP server of ${BASE_URL}; use ${BASE_URL}/mcp, outside of browsers.`);
}
