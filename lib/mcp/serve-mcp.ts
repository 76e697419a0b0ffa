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
import { inOwnNames, readsAtOnce } from '#lib/mcp/call-tool';
import { mcpServer } from '#lib/mcp/server';
import { verifyAccessToken } from '#lib/oauth/access-token';
import { challenge } from '#lib/oauth/resource';
import { singleton } from '#lib/singleton';

/** Every message stands for itself, whichever web process it comes to: clients of both kinds of the protocol are served. */
const handler = () =>
  singleton('mcp.handler', () =>
    createMcpHandler(
      ({ authInfo, requestInfo }) => mcpServer(authInfo?.extra?.caller as Caller, requestInfo?.headers),
      {
        // a stream from the start: what waits long shows that it lives
        responseMode: 'sse',
        onerror: error => log().info({ reason: error.message }, 'mcp message refused'),
      },
    ),
  );

/** Of a batch, which one revision of the protocol has: its answers are held together until they are read. */
const MOST_MESSAGES = 10;

/** Answers a message of an MCP client that has an API key, or a token of an app that somebody let in. */
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
    // of a stream the library says less
    response.headers.set('cache-control', 'no-store, no-transform');
    return response;
  };
  return isLarge(parsedBody) ? asReaderOf(`agent ${caller.accountId}`, request, answer) : answer();
}

const Call = z.object({ method: z.literal('tools/call'), params: z.object({ name: z.string() }) });

/** What is answered with a list or much of one. A call that waits is not: many may wait at a time. */
function isLarge(message: unknown): boolean {
  const { data: call } = Call.safeParse(message);
  return Array.isArray(message) || (call !== undefined && readsAtOnce(call.params.name));
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

/** What cannot be read is refused in the words of the protocol, which its clients read. */
function unreadable(error: unknown): Response {
  if (!(error instanceof AppError)) throw error;
  return protocolError(PARSE_ERROR, error.status, inOwnNames(error.message));
}

/** The answer to what names no message that it could answer. */
const protocolError = (code: number, status: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });

/** A page that reaches this server under a name of its own, or from another site, has no business here. */
function requireOwnAddress(headers: Headers): void {
  const { BASE_URL } = env();
  const origin = headers.get('origin');
  const host = validateHostHeader(headers.get('host'), [new URL(BASE_URL).hostname, ...localhostAllowedHostnames()]);
  if (host.ok && (origin === null || origin === BASE_URL)) return;
  throw new AppError('forbidden', `This is the MCP server of ${BASE_URL}; use ${BASE_URL}/mcp, outside of browsers.`);
}
