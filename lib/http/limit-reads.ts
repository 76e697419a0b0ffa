import type { ServerResponse } from 'node:http';
import { env } from '#lib/env';
import { noteLimit } from '#lib/limits';
import { noted } from '#lib/http/noted';
import { singleton } from '#lib/singleton';

type Limit = 'LIMIT_READS_PER_ACCOUNT' | 'LIMIT_UPLOADS_PER_ACCOUNT';

interface Readers {
  inside: number;
  /** In order of arrival. */
  waiting: Set<() => void>;
}

const all = () => singleton('http.readers', () => new Map<string, Readers>());

/**
 * Makes a response for an account or other reader when few enough of that reader's are in progress: hundreds at a time
 * would hold every database connection. A response counts until it is sent, because those of slow clients would fill
 * the memory. Throws the reason of `signal` when the client disconnects.
 */
export async function asReader<T>(
  whose: string,
  signal: AbortSignal,
  make: () => Promise<T>,
  sent = Promise.resolve(),
  limit: Limit = 'LIMIT_READS_PER_ACCOUNT',
): Promise<T> {
  await enter(whose, signal, limit);
  try {
    return await make();
  } finally {
    void sent.then(() => leave(whose));
  }
}

const answers = noted<Request, ServerResponse>('answer');

/** Remembers the server response that belongs to a request. */
export const keepAnswer = (request: Request, outgoing: ServerResponse): void => void answers.set(request, outgoing);

/** `asReader` for a request. Counts until the response is sent, if the request came through this server. */
export function asReaderOf<T>(whose: string, request: Request, make: () => Promise<T>): Promise<T> {
  const outgoing = answers.get(request);
  return asReader(whose, request.signal, make, outgoing && closed(outgoing));
}

/** Grace period after a client disconnects, because Next may never finish such a page. */
const LEFT_MS = 5_000;

/** `asReader` for a page; does nothing if the client disconnects first. */
export async function asReaderOfPage(whose: string, outgoing: ServerResponse, render: () => unknown): Promise<void> {
  const gone = new AbortController();
  const sent = closed(outgoing).then(() => gone.abort());
  const left = () => new Promise<void>(done => void sent.then(() => setTimeout(done, LEFT_MS).unref()));
  const make = async () => void (await Promise.race([render(), left()]));
  await asReader(whose, gone.signal, make, sent).catch((error: unknown) => {
    if (!gone.signal.aborted) throw error;
  });
}

const closed = (outgoing: ServerResponse): Promise<void> =>
  new Promise(done => (outgoing.closed ? done() : void outgoing.once('close', done)));

async function enter(whose: string, signal: AbortSignal, limit: Limit): Promise<void> {
  signal.throwIfAborted();
  const readers = all().get(whose) ?? { inside: 0, waiting: new Set() };
  all().set(whose, readers);
  if (readers.inside < env()[limit]) return void (readers.inside += 1);
  noteLimit(limit);
  await new Promise<void>((go, fail) => {
    const giveUp = () => {
      readers.waiting.delete(go);
      fail(signal.reason as Error);
    };
    readers.waiting.add(go);
    signal.addEventListener('abort', giveUp, { once: true });
  });
}

/** Passes the slot to the reader that has waited longest. */
function leave(whose: string): void {
  const readers = all().get(whose)!;
  const [next] = readers.waiting;
  if (next) {
    readers.waiting.delete(next);
    return next();
  }
  readers.inside -= 1;
  if (readers.inside === 0) all().delete(whose);
}
