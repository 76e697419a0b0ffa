import { Agent, type Dispatcher } from 'undici';

export interface Measured {
  /** Operations per second. */
  rate: number;
}

const CLIENTS = 32;

/** One agent per target, so that each keeps its own 32 connections open. */
const agents = new Map<string, Agent>();

const agentOf = (origin: string): Agent => {
  const known = agents.get(origin) ?? new Agent({ connections: CLIENTS, pipelining: 1 });
  agents.set(origin, known);
  return known;
};

export async function closeAgents(): Promise<void> {
  await Promise.all([...agents.values()].map(agent => agent.close()));
  agents.clear();
}

/**
 * Sends a request and returns the body; throws unless the status is `status`. Uses undici's dispatcher, which takes
 * half the processor time of its `request`: clients should cost little, as they stand for remote machines.
 */
export function call(
  url: string,
  status: number,
  { method = 'GET', ...rest }: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string } = {},
): Promise<string> {
  const { origin, pathname, search } = new URL(url);
  return new Promise((done, fail) => {
    let answered = 0;
    let text = '';
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {},
      onResponseStart: (_, statusCode) => void (answered = statusCode),
      onResponseData: (_, chunk) => void (text += chunk.toString()),
      onResponseEnd: () =>
        answered === status ? done(text) : fail(new Error(`${method} ${url} answered ${answered}: ${text}`)),
      onResponseError: (_, error) => fail(error),
    };
    agentOf(origin).dispatch({ origin, path: pathname + search, method, ...rest }, handler);
  });
}

/** Repeats `operate` from concurrent clients for `seconds`. */
export async function measure(
  seconds: number,
  operate: (turn: number) => Promise<unknown>,
  clients = CLIENTS,
): Promise<Measured> {
  let done = 0;
  const begun = performance.now();
  const end = begun + seconds * 1000;
  let turn = 0;
  const client = async () => {
    while (performance.now() < end) {
      await operate(turn++);
      done++;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { rate: done / ((performance.now() - begun) / 1000) };
}

export function medianOf(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
