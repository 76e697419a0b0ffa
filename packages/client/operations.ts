import { randomKey } from './random-key.ts';
import { routes } from './routes.ts';
import { send, type AnyInput, type Sender } from './send.ts';
import type { Operations } from './wire.ts';

export type OperationId = keyof Operations;

/** Lists may be given as arrays; they are sent separated by commas. */
type Query<T> = { [P in keyof T]?: T[P] | string | number | readonly string[] | undefined };
/** Where an operation has no params, every string is their key. */
type Given<T, Member extends string> = string extends keyof T ? unknown : Record<Member, T>;

/** What a call takes beside the options: path params, query, headers and body, as the operation has them. */
export type Input<K extends OperationId> = Given<Operations[K]['params'], 'params'> &
  ([Operations[K]['body']] extends [never] ? unknown : { body: Operations[K]['body'] }) & {
    query?: Query<Operations[K]['query']>;
    headers?: { [H in keyof Operations[K]['headers']]?: string };
    signal?: AbortSignal | undefined;
  };

/** The body of the answer; undefined where it has none. */
export type Output<K extends OperationId> = [Operations[K]['answer']] extends [never]
  ? undefined
  : Operations[K]['answer'];

/** One function for each operation of `/v1`. They throw `ApiError`. */
export type Calls = {
  [K in OperationId]: object extends Input<K>
    ? (input?: Input<K>) => Promise<Output<K>>
    : (input: Input<K>) => Promise<Output<K>>;
};

/** Operations that are charged. */
const KEYED: readonly string[] = ['generate', 'startRun'] satisfies OperationId[];

/** The operations as functions. A submit without an Idempotency-Key gets one, so that it can be sent again. */
export function createCalls(sender: Sender): Calls {
  const calls = Object.entries(routes).map(([id, route]) => {
    const call = (input?: AnyInput) => send(sender, route, input);
    const keyed = (input?: AnyInput) =>
      call({ ...input, headers: { 'idempotency-key': randomKey(), ...input?.headers } });
    return [id, KEYED.includes(id) ? keyed : call];
  });
  return Object.fromEntries(calls) as Calls;
}
