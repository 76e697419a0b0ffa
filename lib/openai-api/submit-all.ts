import type { Caller } from '#lib/accounts/callers';
import type { Architecture } from '#lib/catalog/catalog-file';
import { operations } from '#lib/contract/operations';
import { AppError } from '#lib/errors';
import { admitGeneration, admitWhole } from '#lib/generations/admit';
import { submitGeneration, type Submitted } from '#lib/generations/submit';
import { parsePart } from '#lib/http/parse-part';
import { placeOf, pointer } from '#lib/issue';
import { log } from '#lib/log';
import type { Shown } from '#lib/generations/read';
import { sum } from '#lib/sum';

interface Order {
  caller: Caller;
  architecture: Architecture;
  config: Record<string, unknown>;
  /** Number of requests to submit; 1 by default. */
  n?: number | null | undefined;
  /** Members of the body whose name differs from the config, each with the config fields that it became. */
  sentAs?: Record<string, string[]>;
  request: Request;
}

const heeded = operations.generate.headers.pick({ 'idempotency-key': true, 'max-gems': true });

/**
 * Submits a config `n` times: none when the gems do not suffice for all, and fewer when a later one is refused or
 * fails. Requests submitted before under the same idempotency key are replayed. Throws what submitting the first one
 * throws, with the member names of the body.
 */
export const submitAll = (order: Order): Promise<Submitted[]> =>
  submitEach(order).catch((error: unknown) => {
    throw withNamesOf(order, error);
  });

async function submitEach(order: Order): Promise<Submitted[]> {
  const { caller, architecture, config, n, request } = order;
  const sent = Object.fromEntries(request.headers);
  const { 'idempotency-key': key, 'max-gems': maxGems } = parsePart(
    { invalid: 'invalid_request' },
    'headers',
    heeded,
    sent,
  );
  const count = n ?? 1;
  const made: Submitted[] = [];
  // called only for a request that is not a replay; all that follow are new as well
  const admit = async (gems: number, isDear: boolean) => {
    const left = count - made.length;
    if (left === 1) return admitGeneration(caller, { gems, maxGems }, isDear);
    await admitWhole(caller, { gems: gems * left, maxGems, costs: 'These images cost' }).catch((error: unknown) => {
      throw made.length && error instanceof AppError ? new TooDear() : error;
    });
  };
  for (let i = 0; i < count; i++) {
    // a header cannot contain a newline, so no client's own key equals a derived one
    const idempotencyKey = key && (i ? `${key}\n${i + 1}` : key);
    const submission = {
      caller,
      architectureId: architecture.id,
      idempotencyKey,
      body: async () => withNextSeed(config, i),
      admit,
      signal: request.signal,
    };
    try {
      const submitted = await submitGeneration(submission);
      requireKind(submitted.generation, architecture);
      made.push(submitted);
    } catch (error) {
      if (made.length === 0) throw error;
      // the requests made so far are charged, so the answer must name them
      if (!(error instanceof AppError || error instanceof TooDear))
        log().error({ err: error, made: made.length, of: count }, 'fewer images made than requested');
      break;
    }
  }
  return made;
}

/** Thrown when the gems do not suffice for the rest. Not an `AppError`, so no refusal is stored under their keys. */
class TooDear extends Error {}

/** Throws `invalid_request` when the idempotency key was used for another media type, which this call cannot answer. */
function requireKind(made: Shown, { type }: Architecture): void {
  if (made.type === type) return;
  const words = `Under this Idempotency-Key a request for ${made.type} was made, and this call makes ${type}. Send another key.`;
  throw new AppError('invalid_request', words);
}

/** Returns the config with a different seed for each request: with the same seed, all images would be identical. */
const withNextSeed = (config: Order['config'], i: number): Order['config'] =>
  typeof config.seed === 'number' && i > 0 ? { ...config, seed: (config.seed + i) % 2 ** 32 } : config;

/** Returns the error with its issues renamed to the members of the body that the client sent. */
function withNamesOf({ sentAs = {} }: Order, error: unknown): unknown {
  if (!(error instanceof AppError) || !error.extra.issues) return error;
  const issues = error.extra.issues.map(({ path, message }) => {
    const [, field = ''] = path.split('/');
    const name = Object.keys(sentAs).find(member => sentAs[member]!.includes(field));
    if (!name) return { path, message };
    const place = placeOf(path);
    return { path: pointer(name), message: message.startsWith(place) ? name + message.slice(place.length) : message };
  });
  const words = issues.map(({ message }) => message).join(' ');
  return new AppError(error.code, words, { ...error.extra, issues }, { cause: error });
}

/** Headers with the gems charged by this call, the ids of the requests, and whether all of them were replayed. */
export const priceHeaders = (made: readonly Submitted[]): Record<string, string> => ({
  'pomona-gems': String(sum(made.map(({ generation, replayed }) => (replayed ? 0 : generation.gems)))),
  'pomona-requests': made.map(({ generation }) => generation.id).join(', '),
  ...(made.every(({ replayed }) => replayed) && { 'idempotency-replayed': 'true' }),
});
