import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '#lib/accounts/callers';
import type { Architecture } from '#lib/catalog/catalog-file';
import { AppError, invalid } from '#lib/errors';
import { admitGeneration } from '#lib/generations/admit';
import { estimateGeneration } from '#lib/generations/estimate';
import type { Readable } from '#lib/generations/read';
import { submitGeneration } from '#lib/generations/submit';
import { waitForGeneration } from '#lib/generations/wait';
import type { Generation } from '#lib/life/generation';
import { isFinal } from '#lib/status';

interface Order {
  caller: Caller;
  architecture: Architecture;
  config: Record<string, unknown>;
  /** How many of it. */
  n?: number | null | undefined;
  request: Request;
}

/**
 * Submits so many of a config: none where the gems are not enough for all, and fewer where one is refused on the way. Throws
 * what submitting the first one throws.
 */
export async function submitAll({ caller, architecture, config, n, request }: Order): Promise<Generation[]> {
  const { signal, headers } = request;
  const key = headers.get('idempotency-key') ?? undefined;
  if (key && key.length > 200)
    throw invalid('invalid_request', [{ path: '', message: 'The Idempotency-Key must have at most 200 characters.' }]);
  const count = n ?? 1;
  if (count > 1 && !key) {
    const { gems } = await estimateGeneration(caller, architecture.id, config, signal);
    await admitGeneration(caller, gems * count, undefined);
  }
  const made: Generation[] = [];
  for (let i = 0; i < count; i++) {
    const idempotencyKey = key && (count > 1 ? `${key} ${i + 1}` : key);
    const submission = { caller, architectureId: architecture.id, idempotencyKey, body: async () => config, signal };
    try {
      made.push((await submitGeneration(submission)).generation);
    } catch (error) {
      if (!(error instanceof AppError) || made.length === 0) throw error;
      break;
    }
  }
  return made;
}

/** What was charged, and under which ids the requests are found. */
export const priceHeaders = (made: readonly Generation[]): Record<string, string> => ({
  'pomona-gems': String(made.reduce((sum, { gems }) => sum + gems, 0)),
  'pomona-requests': made.map(({ id }) => id).join(', '),
});

const ROUND_SECONDS = 30;
/** Proxies in front wait a minute for a first byte. */
export const FIRST_BYTE_SECONDS = 55;

/** The request once it is final, or as it is when the client is gone or `seconds` are over. */
export async function untilFinal(
  { accountId, id }: Generation,
  signal: AbortSignal,
  seconds = Infinity,
): Promise<Readable> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const round = Math.min(ROUND_SECONDS, Math.max(0, (deadline - Date.now()) / 1000));
    const generation = await waitForGeneration(accountId, id, round, signal);
    if (isFinal(generation.status) || signal.aborted || Date.now() >= deadline) return generation;
    // where too many wait already, the answer came at once
    await sleep(1_000, undefined, { signal }).catch(() => {});
  }
}
