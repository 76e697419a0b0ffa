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
import { MAX_BODY_BYTES, readJson, SMALL_BODY_BYTES } from '#lib/http/read-json';
import { respond } from '#lib/http/respond';
import { isEmpty, requireSameOrigin } from '#lib/http/same-origin';
import { isUuid } from '#lib/ids';

/** What a handler gets: the caller and the parsed parts of the request, typed by the operation. */
interface Input<O extends Operation> {
  caller: CallerOf<O['auth']>;
  /** Of a route that reads something beside the caller; undefined when nobody looked. */
  found?: FoundBeside | undefined;
  /** Where the request comes from, for limits. */
  address: string;
  params: z.output<O['params']>;
  query: z.output<O['query']>;
  headers: z.output<O['headers']>;
  /** What is wrong with headers, which are left out then; empty unless the handler judges them. */
  flaws: Issue[];
  /** The parsed body, read and checked when the handler asks for it. */
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

/** What can be read together with the caller, as a request names it; null where it names none. */
const BESIDE = {
  /** The request that the path names. */
  request: (_: Request, { request_id: id }) => (isUuid(String(id)) ? { requestId: String(id) } : null),
  /** What was answered first under the idempotency key. */
  'first answer': ({ headers }) => {
    const idempotencyKey = headers.get('idempotency-key');
    return idempotencyKey ? { idempotencyKey } : null;
  },
} satisfies Record<string, (request: Request, params: Record<string, unknown>) => Beside | null>;

type Body<R extends Operation['responses']> = {
  [S in keyof R]: R[S] extends z.ZodType ? z.input<R[S]> : undefined;
}[keyof R];

/** What a handler gives back. */
interface Reply<O extends Operation> {
  status?: number;
  body?: O['lines'] extends true ? AsyncIterable<Body<O['responses']>> : Body<O['responses']>;
  headers?: Record<string, string>;
  /** Each a `Set-Cookie`. */
  cookies?: string[];
}

/** Next has no params at all where a path has none. */
export type Context = { params: Promise<Record<string, string | string[] | undefined> | undefined> };
export type Handler = (request: Request, context: Context) => Promise<Response>;

interface RouteOptions {
  /** What is read together with the caller. */
  reads?: keyof typeof BESIDE;
  /** Of what is no GET and yet only reads: its readers are counted under this name, by themselves. */
  readsAs?: string;
  /** The handler refuses bad headers itself, together with what is wrong with the body. */
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
      // the schemas that just parsed these are the operation's own
      const make = () => makeAnswer(input as Input<O>);
      const whose = caller?.accountId ?? `${operation.path} ${input.address}`;
      // its body too is read when it is its turn: those that wait would fill the memory
      if (readsAs) return asReaderOf(`${readsAs} ${whose}`, request, make);
      // what is read together with the caller is read for all who ask at that moment
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
