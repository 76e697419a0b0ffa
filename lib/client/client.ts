import type { z } from 'zod';
import { routes } from '#lib/client/routes';
import { send, type AnyInput, type Sender } from '#lib/client/send';
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
export type Output<K extends OperationId> = [
  Answer<Operation<K>['responses'][keyof Operation<K>['responses']]>,
] extends [never]
  ? undefined
  : Answer<Operation<K>['responses'][keyof Operation<K>['responses']]>;

/** One function for each operation of `/v1`. They throw `ApiError`. */
export type Client = {
  [K in OperationId]: object extends Input<K>
    ? (input?: Input<K>) => Promise<Output<K>>
    : (input: Input<K>) => Promise<Output<K>>;
};

/**
 * A typed client of `/v1`, for browsers and Node.
 *
 *     const pomona = createClient({ baseUrl: 'https://pomona.example', key });
 *     const request = await pomona.generate({ params: { architecture: 'mango' }, body: { prompt: 'a fig' } });
 */
export function createClient(sender: Sender = {}): Client {
  const calls = Object.entries(routes).map(([id, route]) => [id, (input?: AnyInput) => send(sender, route, input)]);
  return Object.fromEntries(calls) as Client;
}
