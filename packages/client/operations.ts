import { randomKey } from './random-key.ts';
import { routes } from './routes.ts';
import { send, type AnyInput, type Sender } from './send.ts';
import type { Operations } from './wire.ts';

export type OperationId = keyof Operations;

/** Query parameters; arrays are sent as comma-separated lists. */
type Query<T> = { [P in keyof T]?: T[P] | string | number | readonly string[] | undefined };
/** A required member, left out when the operation has no params: the keys of its params type are then `string`. */
type Given<T, Member extends string> = string extends keyof T ? unknown : Record<Member, T>;

/** The input of an operation: the path params, query, headers and body that it declares, and an abort signal. */
export type Input<K extends OperationId> = Given<Operations[K]['params'], 'params'> &
  ([Operations[K]['body']] extends [never] ? unknown : { body: Operations[K]['body'] }) & {
    query?: Query<Operations[K]['query']>;
    headers?: { [H in keyof Operations[K]['headers']]?: string };
    signal?: AbortSignal | undefined;
  };

/** The body of the response; undefined when the operation has none. */
export type Output<K extends OperationId> = [Operations[K]['answer']] extends [never]
  ? undefined
  : Operations[K]['answer'];

/** One function for each operation of `/v1`. Each throws `ApiError`. */
export type Calls = {
  [K in OperationId]: object extends Input<K>
    ? (input?: Input<K>) => Promise<Output<K>>
    : (input: Input<K>) => Promise<Output<K>>;
};

/** Operations that charge gems and so take an Idempotency-Key. */
const KEYED: readonly string[] = ['generate', 'startRun'] satisfies OperationId[];

/** Creates the functions. A charged call without an Idempotency-Key gets a random one, which makes it safe to retry. */
export function createCalls(sender: Sender): Calls {
  const calls = Object.entries(routes).map(([id, route]) => {
    const call = (input?: AnyInput) => send(sender, route, input);
    const keyed = (input?: AnyInput) =>
      call({ ...input, headers: { 'idempotency-key': randomKey(), ...input?.headers } });
    return [id, KEYED.includes(id) ? keyed : call];
  });
  return Object.fromEntries(calls) as Calls;
}
