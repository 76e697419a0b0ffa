import type { z } from 'zod';
import { call, type AnyInput } from '#client/send';
import { studioRoutes, type RoutesOf } from '#lib/client/studio-routes';
import { studio } from '#lib/client/sender';
import type { studioOperations } from '#lib/contract/studio-operations';
import type { Operation } from '#lib/contract/operation';

type Operations = typeof studioOperations;
type Id = keyof Operations;

/** A required member, left out for an empty zod object, whose keys are `string`. */
type Given<T, Member extends string> = string extends keyof T ? unknown : Record<Member, T>;
type BodyOf<O> = O extends { body: infer B extends z.ZodType } ? { body: z.input<B> } : unknown;
type Headers<T> = string extends keyof T ? unknown : { headers?: { [H in keyof T]?: string | undefined } };
type Query<T> = string extends keyof T ? unknown : { query?: { [P in keyof T]?: T[P] | undefined } };

/** The input of a call: the path params, query, headers and body that the operation declares. */
type Input<O extends Operation> = Given<z.input<O['params']>, 'params'> &
  BodyOf<O> &
  Query<z.input<O['query']>> &
  Headers<z.input<O['headers']>> & { signal?: AbortSignal };

type Answer<S> = S extends z.ZodType ? z.output<S> : undefined;
/** The body of the response; undefined when the operation has none. */
export type Output<K extends Id> = Answer<Operations[K]['responses'][keyof Operations[K]['responses']]>;

type Outcome<K extends Id> = Promise<Operations[K] extends { lines: true } ? AsyncIterable<Output<K>> : Output<K>>;

type Calls<K extends Id> = {
  [I in K]: object extends Input<Operations[I]>
    ? (input?: Input<Operations[I]>) => Outcome<I>
    : (input: Input<Operations[I]>) => Outcome<I>;
};

/** Creates one function for each of the routes. */
export const createStudioCalls = <K extends Id>(routes: RoutesOf<K>) =>
  Object.fromEntries(
    Object.entries<string>(routes).map(([id, route]) => [id, (input?: AnyInput) => ask(route, input)]),
  ) as Calls<K>;

/** The app's operations outside `/v1`, for this browser's session: a function for each, which throws `ApiError`. */
export const studioApi = createStudioCalls(studioRoutes);

async function ask(route: string, input?: AnyInput): Promise<unknown> {
  const response = await call(studio, route, input);
  if (response.headers.get('content-type')?.startsWith('application/x-ndjson')) return linesOf(response);
  return response.status === 204 ? undefined : ((await response.json()) as unknown);
}

/** Yields the values of a response in newline-delimited JSON. */
async function* linesOf({ body }: Response): AsyncGenerator {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value = '', done } = await reader.read();
    const lines = (rest + value).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as unknown;
    if (done) return;
  }
}
