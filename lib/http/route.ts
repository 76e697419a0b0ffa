import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Beside, Caller, FoundBeside } from '#lib/accounts/callers';
import type { SessionCaller } from '#lib/auth/session';
import { mayLeaveOut, takenHeaders, type Operation } from '#lib/contract/operation';
import { invalid, type Issue } from '#lib/errors';
import {
  getCaller,
  getCallerAnd,
  getOperator,
  getRecentCaller,
  getSessionCaller,
  requireAccount,
  requireScope,
} from '#lib/http/caller';
import { clientAddress } from '#lib/http/client-address';
import { errorResponse } from '#lib/http/error-response';
import { asReaderOf } from '#lib/http/limit-reads';
import { observeHttp } from '#lib/http/metrics';
import { orIssues, parseHeaders, parsePart, parseQuery } from '#lib/http/parse-part';
import { MAX_BODY_BYTES, readJson, requireLength, SMALL_BODY_BYTES } from '#lib/http/read-json';
import { respond } from '#lib/http/respond';
import { isEmpty, requireSameOrigin } from '#lib/http/same-origin';
import { isUuid } from '#lib/ids';

/** Input of a handler: the caller and the parsed parts of the request, typed by the operation. */
interface Input<O extends Operation> {
  caller: CallerOf<O['auth']>;
  /** Result of the route's `reads`; undefined if nothing was read. */
  found?: FoundBeside | undefined;
  /** Client address, for limits. */
  address: string;
  params: z.output<O['params']>;
  query: z.output<O['query']>;
  headers: z.output<O['headers']>;
  /** Issues of invalid headers, which are left out of `headers`; empty unless the route has `judgesHeaders`. */
  flaws: Issue[];
  /** Reads and validates the body. */
  body: () => Promise<O['body'] extends z.ZodType ? z.output<O['body']> : undefined>;
  signal: AbortSignal;
}

type CallerOf<A extends Operation['auth']> = A extends 'anyone'
  ? null
  : A extends 'session' | 'recent session' | 'operator'
    ? SessionCaller
    : Caller;

const CALLERS = {
  anyone: async (request: Request) => {
    requireSameOrigin(request);
    return null;
  },
  session: getSessionCaller,
  'recent session': getRecentCaller,
  operator: getOperator,
};

/** What can be read together with the caller, from what the request names; null if nothing is named. */
const BESIDE = {
  /** The request named in the path. */
  request: (_: Request, { request_id: id }) => (isUuid(String(id)) ? { requestId: String(id) } : null),
  /** The first answer under the idempotency key. */
  'first answer': ({ headers }) => {
    const idempotencyKey = headers.get('idempotency-key');
    return idempotencyKey ? { idempotencyKey } : null;
  },
} satisfies Record<string, (request: Request, params: Record<string, unknown>) => Beside | null>;

type Body<R extends Operation['responses']> = {
  [S in keyof R]: R[S] extends z.ZodType ? z.input<R[S]> : undefined;
}[keyof R];

/** Result of a handler. */
interface Reply<O extends Operation> {
  status?: number;
  body?: O['lines'] extends true ? AsyncIterable<Body<O['responses']>> : Body<O['responses']>;
  headers?: Record<string, string>;
  /** Values of `Set-Cookie` headers. */
  cookies?: string[];
}

/** Next passes undefined params where a path has none. */
export type Context = { params: Promise<Record<string, string | string[] | undefined> | undefined> };
export type Handler = (request: Request, context: Context) => Promise<Response>;

interface RouteOptions {
  /** What to read together with the caller. */
  reads?: keyof typeof BESIDE;
  /** Name of a separate reader limit, for an operation that is not a GET but only reads. */
  readsAs?: string;
  /** Whether the handler refuses bad headers itself, together with the issues of the body. */
  judgesHeaders?: boolean;
}

/** Turns an operation and its handler into a web-standard route handler: caller, parsing, envelope, metrics. */
export function route<O extends Operation>(
  operation: O,
  handle: (input: Input<O>) => Promise<Reply<O>>,
  { reads, readsAs, judgesHeaders = false }: RouteOptions = {},
): Handler {
  const taken = takenHeaders(operation);
  const success = Number(Object.keys(operation.responses).find(status => status !== '304'));
  return async (request, context) => {
    const requestId = randomUUID();
    const started = performance.now();
    const response = await answer().catch((error: unknown) => errorResponse(error, requestId, request.signal));
    observeHttp(operation.method, operation.path, response.status, performance.now() - started);
    return response;

    async function answer(): Promise<Response> {
      const params = (await context.params) ?? {};
      const { caller, found } = await callerOf(params);
      if (caller && operation.scope) requireScope(caller, operation.scope);
      const wrong: Issue[] = [];
      const { headers, flaws } = parseHeaders(operation, taken, request);
      const input = {
        caller,
        found,
        address: clientAddress(request),
        params: orIssues(wrong, () => parsePart(operation, 'params', operation.params, params)),
        query: orIssues(wrong, () => parseQuery(operation, request.url)),
        headers,
        flaws,
        body: () => readBody(operation, request),
        signal: request.signal,
      };
      if (!judgesHeaders) wrong.push(...flaws);
      if (wrong.length > 0) throw invalid(operation.invalid, wrong);
      if (caller) requireAccount(caller, input.headers['pomona-account'] as string | undefined);
      if (!operation.body) requireLength(request, MAX_BODY_BYTES);
      // the operation's own schemas just parsed these
      const make = () => makeAnswer(input as Input<O>);
      const whose = caller?.accountId ?? `${operation.path} ${input.address}`;
      // the body is read only after the wait, because waiting bodies would fill the memory
      if (readsAs) return asReaderOf(`${readsAs} ${whose}`, request, make);
      // reads that come with the caller are batched over concurrent requests, so they need no reader limit
      if (operation.method !== 'GET' || reads) return make();
      return asReaderOf(whose, request, make);
    }

    async function makeAnswer(input: Input<O>): Promise<Response> {
      const { status = success, body, headers, cookies = [] } = await handle(input);
      const response = await respond(operation, request, { status, body, headers }, requestId);
      for (const cookie of cookies) response.headers.append('set-cookie', cookie);
      return response;
    }

    async function callerOf(
      params: Record<string, unknown>,
    ): Promise<{ caller: Caller | null; found?: FoundBeside | undefined }> {
      if (operation.auth) return { caller: await CALLERS[operation.auth](request) };
      const beside = reads && BESIDE[reads](request, params);
      return beside ? getCallerAnd(beside, request) : { caller: await getCaller(request) };
    }
  };
}

async function readBody(operation: Operation, request: Request): Promise<unknown> {
  if (!operation.body) return undefined;
  if (isEmpty(request.headers) && mayLeaveOut(operation.body)) return operation.body.parse(undefined);
  const { large, invalid: code, path } = operation;
  const maxBytes = large?.bytes ?? (path.startsWith('/v1/') ? MAX_BODY_BYTES : SMALL_BODY_BYTES);
  return parsePart(operation, 'body', operation.body, await readJson(request, code, maxBytes, large?.values));
}
