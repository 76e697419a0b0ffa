import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getRequestListener, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { addRoute, createRouter, findRoute } from 'rou3';
import { AppError, nothingHere } from '#lib/errors';
import { errorResponse } from '#lib/http/error-response';
import { keepAnswer } from '#lib/http/limit-reads';
import { holdRefusal } from '#lib/http/limit-refusals';
import { notFound } from '#lib/http/not-found';
import { noted } from '#lib/http/noted';
import { keepSource } from '#lib/http/raw-body';
import { sendFile } from '#lib/http/send-file';

type Params = Record<string, string | string[]>;
type Handler = (request: Request, context: { params: Promise<Params> }) => Response | Promise<Response>;
type Handlers = Partial<Record<string, Handler>>;

interface Route {
  file: string;
  /** Undefined until the file is imported. */
  handlers: Handlers | undefined;
  /** Name of the parameter that holds several segments. */
  catchAll: string | undefined;
}

interface Match {
  route: Route;
  params: Params;
}

/** Answers the request and returns true when the path belongs to the lane; returns false to leave it to Next. */
type FastLane = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

interface Folder {
  /** Routes that programs call are imported at start; others at the first request, as some import large libraries. */
  loaded: 'at start' | 'when asked';
  /** Whether the lane owns the whole folder: Next has no pages in it, so unknown paths are refused here. */
  whole?: true;
}

/** Folders of `app` whose route handlers never need React; everything else is Next's. */
const FOLDERS: Partial<Record<string, Folder>> = {
  v1: { loaded: 'at start', whole: true },
  openai: { loaded: 'at start', whole: true },
  media: { loaded: 'at start', whole: true },
  mcp: { loaded: 'at start' },
  healthz: { loaded: 'at start' },
  metrics: { loaded: 'at start' },
  api: { loaded: 'when asked', whole: true },
  oauth: { loaded: 'when asked' },
  '.well-known': { loaded: 'when asked' },
};

const NOT_FOUND: Route = { file: '', handlers: {}, catchAll: undefined };

/** A trailing slash is ignored except in a DELETE, which the catch-all route of the folder, or else this, refuses. */
const CUT_OFF: Route = { file: '', handlers: { DELETE: notFound }, catchAll: undefined };

/** Serves the route files of these folders directly, as Next would but some forty times faster. */
export async function loadFastLane(appFolder: string): Promise<FastLane> {
  const router = createRouter<Route>();
  /** Optional catch-all routes by folder, which answer paths without a route. */
  const nothing = new Map<string, Route>();
  for (const { path, file } of await routeFiles(appFolder)) {
    const [folder, all] = path.split('/').slice(1);
    const route: Route = { file, handlers: undefined, catchAll: /\[\.\.\.(\w+)\]/.exec(path)?.[1] };
    if (FOLDERS[folder!]!.loaded === 'at start') route.handlers = await readHandlers(file);
    addRoute(router, '', rou3Pattern(path), route);
    if (all?.startsWith('[[...')) nothing.set(folder!, route);
  }

  const matches = noted<IncomingMessage, Match>('match');
  const answer = getRequestListener(
    (request, bindings) => {
      const incoming = bindings.incoming as IncomingMessage;
      const outgoing = bindings.outgoing as ServerResponse;
      keepSource(request, incoming);
      keepAnswer(request, outgoing);
      return deliver(handle(request, matches.get(incoming)!), outgoing);
    },
    {
      // the web server discards unread bodies itself, at the pace of the address
      autoCleanupIncoming: false,
      errorHandler: error =>
        errorResponse(
          error instanceof RequestError ? new AppError('invalid_request', `${error.message}.`) : error,
          randomUUID(),
        ),
    },
  );

  return (incoming, outgoing) => {
    const path = pathOf(incoming.url ?? '/');
    const found = findRoute(router, '', path);
    const folder = path.split('/', 2)[1]!;
    if (!found && !FOLDERS[folder]?.whole) return false;
    const params = found && decodeParams(found.params ?? {}, found.data.catchAll);
    const route = params ? found.data : (nothing.get(folder) ?? NOT_FOUND);
    const isCutOff = incoming.method === 'DELETE' && path.endsWith('/');
    const refused = nothing.get(folder) ?? CUT_OFF;
    matches.set(incoming, { route: isCutOff ? refused : route, params: params ?? {} });
    void answer(incoming, outgoing);
    return true;
  };
}

const readHandlers = async (file: string): Promise<Handlers> => await import(pathToFileURL(file).href);

async function routeFiles(appFolder: string): Promise<{ path: string; file: string }[]> {
  const files = (await readdir(appFolder, { recursive: true })).map(file => file.replaceAll('\\', '/'));
  return files
    .filter(file => file.endsWith('/route.ts') && Object.hasOwn(FOLDERS, file.split('/', 1)[0]!))
    .map(file => ({ path: `/${file.slice(0, -'/route.ts'.length)}`, file: join(appFolder, file) }));
}

/** Translates a Next folder path such as `/a/[b]/[...c]` to rou3's syntax, without route groups such as `(name)`. */
export const rou3Pattern = (path: string): string =>
  path
    .replace(/\/\([^/]+\)/g, '')
    .replace(/\[\[\.\.\.(\w+)\]\]/g, ':$1*')
    .replace(/\[\.\.\.(\w+)\]/g, '**:$1')
    .replace(/\[(\w+)\]/g, ':$1');

/** Returns the path as the `Request` will have it: dot segments are resolved the same way. */
function pathOf(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  if (path.startsWith('/') && !/\/\.|\/%2e|\\|#/i.test(path)) return path;
  return URL.parse(url, 'http://host')?.pathname ?? path;
}

/** Writes files directly, and holds back refusals at the pace of their address. */
async function deliver(answer: Promise<Response>, outgoing: ServerResponse): Promise<Response> {
  const response = await answer;
  if (response.status >= 400 && response.status < 500) await holdRefusal(outgoing);
  return (await sendFile(response, outgoing)) ? RESPONSE_ALREADY_SENT : response;
}

async function handle(request: Request, { route, params }: Match): Promise<Response> {
  const handlers = (route.handlers ??= await readHandlers(route.file));
  // a method that the route does not export is handled like OPTIONS: 405 with Allow, or 404
  const handler = handlers[request.method] ?? handlers.OPTIONS;
  return handler ? handler(request, { params: Promise.resolve(params) }) : notHere();
}

/** Returns the decoded params; null when the percent-encoding is malformed, so no route matches. */
function decodeParams(params: Record<string, string | undefined>, catchAll: string | undefined): Params | null {
  const decoded: Params = {};
  try {
    for (const [name, text] of Object.entries(params)) {
      if (text === undefined) continue;
      decoded[name] = name === catchAll ? text.split('/').map(decodeURIComponent) : decodeURIComponent(text);
    }
  } catch {
    return null;
  }
  return decoded;
}

const notHere = (): Response => errorResponse(nothingHere(), randomUUID());
