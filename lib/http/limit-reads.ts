import type { ServerResponse } from 'node:http';
import { env } from '#lib/env';
import { noteLimit } from '#lib/limits';
import { noted } from '#lib/http/noted';
import { singleton } from '#lib/singleton';

const NAME = 'LIMIT_READS_PER_ACCOUNT';

interface Readers {
  inside: number;
  /** In the order in which they came. */
  waiting: Set<() => void>;
}

const all = () => singleton('http.readers', () => new Map<string, Readers>());

/**
 * Makes an answer for an account, or whoever else it is, when few enough of its are under way: hundreds at a time would hold every
 * connection to the database. One is under way until it is made, and sent: those that wait for slow readers would fill the memory.
 * Throws the reason of the signal, which says that the client has left.
 */
export async function asReader<T>(
  whose: string,
  signal: AbortSignal,
  make: () => Promise<T>,
  sent = Promise.resolve(),
): Promise<T> {
  await enter(whose, signal);
  try {
    return await make();
  } finally {
    void sent.then(() => leave(whose));
  }
}

const answers = noted<Request, ServerResponse>('answer');

/** Remembers where the answer to a request goes. */
export const keepAnswer = (request: Request, outgoing: ServerResponse): void => void answers.set(request, outgoing);

/** `asReader` for the answer to a request; of any other server than ours it is not known when that is sent. */
export function asReaderOf<T>(whose: string, request: Request, make: () => Promise<T>): Promise<T> {
  const outgoing = answers.get(request);
  return asReader(whose, request.signal, make, outgoing && closed(outgoing));
}

/** Next may never end what it makes for one who has left. */
const LEFT_MS = 5_000;

/** `asReader` for a page; nothing happens when the client leaves before. */
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

async function enter(whose: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const readers = all().get(whose) ?? { inside: 0, waiting: new Set() };
  all().set(whose, readers);
  if (readers.inside < env()[NAME]) return void (readers.inside += 1);
  noteLimit(NAME);
  await new Promise<void>((go, fail) => {
    const giveUp = () => {
      readers.waiting.delete(go);
      fail(signal.reason as Error);
    };
    readers.waiting.add(go);
    signal.addEventListener('abort', giveUp, { once: true });
  });
}

/** The place goes to whoever has waited longest. */
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
