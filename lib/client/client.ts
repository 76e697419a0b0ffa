import type { z } from 'zod';
import { ApiError, readApiError } from '#lib/client/api-error';
import { routes } from '#lib/client/routes';
import type { CatalogEntry } from '#lib/catalog/to-entry';
import type { operations, OperationId } from '#lib/contract/operations';

type Operations = typeof operations;
type Operation<K extends OperationId> = Operations[K];

/** Lists may be given as arrays; they are sent separated by commas. */
type Query<T> = { [P in keyof T]?: T[P] | string | number | readonly string[] | undefined };
type Params<K extends OperationId> = z.input<Operation<K>['params']>;
type Body<K extends OperationId> = Operation<K> extends { body: infer B extends z.ZodType } ? z.input<B> : never;
/** An empty zod object has every string as its key. */
type Given<T, Member extends string> = string extends keyof T ? unknown : Record<Member, T>;

/** What a call takes beside the options: path params, query, headers and body, as the operation has them. */
export type Input<K extends OperationId> = Given<Params<K>, 'params'> &
  ([Body<K>] extends [never] ? unknown : { body: Body<K> }) & {
    query?: Query<z.input<Operation<K>['query']>>;
    headers?: { [H in keyof z.input<Operation<K>['headers']>]?: string };
    signal?: AbortSignal | undefined;
  };

type Answer<S> = S extends z.ZodType ? z.output<S> : never;

/** The body of the answer; undefined where it has none. */
export type Output<K extends OperationId> = K extends 'listArchitectures'
  ? { architectures: CatalogEntry[] }
  : [Answer<Operation<K>['responses'][keyof Operation<K>['responses']]>] extends [never]
    ? undefined
    : Answer<Operation<K>['responses'][keyof Operation<K>['responses']]>;

/** One function for each operation of `/v1`. They throw `ApiError`. */
export type Client = {
  [K in OperationId]: object extends Input<K>
    ? (input?: Input<K>) => Promise<Output<K>>
    : (input: Input<K>) => Promise<Output<K>>;
};

export interface ClientOptions {
  /** Origin of the deployment; empty for the one that the page came from. */
  baseUrl?: string;
  /** An API key. In a page of the studio the session cookie stands in for it. */
  key?: string;
  fetch?: typeof globalThis.fetch;
}

interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  headers?: Record<string, string | undefined>;
  body?: unknown;
  signal?: AbortSignal;
}

/**
 * A typed client of `/v1`, for browsers and Node.
 *
 *     const pomona = createClient({ baseUrl: 'https://pomona.example', key });
 *     const request = await pomona.generate({ params: { architecture: 'mango' }, body: { prompt: 'a fig' } });
 */
export function createClient({ baseUrl = '', key, fetch = globalThis.fetch }: ClientOptions = {}): Client {
  async function call(route: string, { params = {}, query = {}, headers = {}, body, signal }: AnyInput = {}) {
    const [method = 'GET', path = ''] = route.split(' ');
    const address = path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const sent = new Headers();
    if (key) sent.set('authorization', `Bearer ${key}`);
    if (body !== undefined) sent.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value);
    const init = {
      method,
      headers: sent,
      ...(signal && { signal }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const response = await fetch(baseUrl + address + search(query), init).catch((cause: unknown) => {
      if (signal?.aborted) throw cause;
      const message = 'The server cannot be reached. Check the connection and try again.';
      throw new ApiError({ status: 0, code: 'unreachable', message }, { cause });
    });
    if (!response.ok) throw await readApiError(response);
    return response.status === 204 ? undefined : ((await response.json()) as unknown);
  }
  const calls = Object.entries(routes).map(([id, route]) => [id, (input?: AnyInput) => call(route, input)]);
  return Object.fromEntries(calls) as Client;
}

function search(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}
