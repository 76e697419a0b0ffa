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
  /** How many of it. */
  n?: number | null | undefined;
  /** Members that are called otherwise in the body, with the fields that they became. */
  sentAs?: Record<string, string[]>;
  request: Request;
}

const heeded = operations.generate.headers.pick({ 'idempotency-key': true, 'max-gems': true });

/**
 * Submits so many of a config: none where the gems are not enough for all, and fewer where one is refused, or fails, on the way; what was
 * submitted before under the key counts as it is. Throws what submitting the first one throws, with the names that were sent.
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
  // asked of none that is a replay: the rest is new with it
  const admit = async (gems: number, isDear: boolean) => {
    const left = count - made.length;
    if (left === 1) return admitGeneration(caller, { gems, maxGems }, isDear);
    await admitWhole(caller, { gems: gems * left, maxGems, costs: 'These images cost' }).catch((error: unknown) => {
      throw made.length && error instanceof AppError ? new TooDear() : error;
    });
  };
  for (let i = 0; i < count; i++) {
    // no header holds a line's end, so that nobody's own key is one of these
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
      // what was made is paid, and named in the answer
      if (!(error instanceof AppError || error instanceof TooDear))
        log().error({ err: error, made: made.length, of: count }, 'fewer images made');
      break;
    }
  }
  return made;
}

/** The rest is not made for its price. Its keys are left to a later call: no refusal is kept under them. */
class TooDear extends Error {}

/** A key tells one thing to be made from another, whatever the call: what it made may be nothing that this one can answer. */
function requireKind(made: Shown, { type }: Architecture): void {
  if (made.type === type) return;
  const words = `Under this Idempotency-Key a request for ${made.type} was made, and this call makes ${type}. Send another key.`;
  throw new AppError('invalid_request', words);
}

/** With one seed for all, each would be the same picture, paid once more. */
const withNextSeed = (config: Order['config'], i: number): Order['config'] =>
  typeof config.seed === 'number' && i > 0 ? { ...config, seed: (config.seed + i) % 2 ** 32 } : config;

/** A refusal of what the client sent, by the names that it has in the body. */
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

/** What this call was charged, whether all of it was made before, and under which ids the requests are found. */
export const priceHeaders = (made: readonly Submitted[]): Record<string, string> => ({
  'pomona-gems': String(sum(made.map(({ generation, replayed }) => (replayed ? 0 : generation.gems)))),
  'pomona-requests': made.map(({ generation }) => generation.id).join(', '),
  ...(made.every(({ replayed }) => replayed) && { 'idempotency-replayed': 'true' }),
});
