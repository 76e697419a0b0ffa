import { EngineError, type EngineErrorCode } from '#lib/engines/engine';
import type { EngineRefusal } from '#lib/engines/engine-refusal';

/** Messages of engines and hosted services with their meaning, regardless of the status. The first match is used. */
const WORDS: [RegExp, EngineErrorCode, retryable: boolean][] = [
  [
    /content[_ ]polic|content_filter|moderation_blocked|safety (system|checker|filter)|nsfw (content|image)|flagged (as|by)|\(E005\)/i,
    'invalid_input',
    false,
  ],
  // a retry is useless until the operator pays; other quota messages may mean a limit per minute
  [/insufficient_quota|billing[_ ]hard[_ ]limit/i, 'engine_unavailable', false],
  [/out of memory|OutOfMemory|\bOOM\b|failed to allocate|cudaMalloc/i, 'out_of_memory', false],
  [/model\b.{0,120}?(not found|does not exist|not loaded|not available)|model_not_found/i, 'model_missing', false],
  // vLLM-Omni and Replicate
  [/model mismatch|invalid version or not permitted/i, 'model_missing', false],
];

const REFUSED = 'The content policy of the model refused the prompt or the media.';

const STATUS: Record<number, [EngineErrorCode, retryable: boolean]> = {
  400: ['invalid_input', false],
  // no credit left, which the user cannot change
  402: ['engine_unavailable', false],
  404: ['model_missing', false],
  408: ['timeout', true],
  409: ['engine_unavailable', true],
  415: ['invalid_input', false],
  422: ['invalid_input', false],
  // sent by a proxy whose server crashed, perhaps because of the job
  502: ['engine_unavailable', false],
  504: ['timeout', true],
};

/**
 * Translates an engine's refusal of a job into an `EngineError`. The message of a content policy refusal may be shown
 * to the user; all others are for the log.
 */
export function refusalOf(refusal: EngineRefusal): EngineError {
  const spoken = failureOf(refusal.words, refusal);
  if (spoken) return spoken;
  const [code, retryable] = STATUS[refusal.status] ?? [refusal.code, refusal.retryable];
  return new EngineError(code, refusal.message, retryable, { cause: refusal, retryAfter: refusal.retryAfter });
}

/** Translates the error text of a job; null when it matches no known message. */
function failureOf(words: string, cause?: unknown): EngineError | null {
  const found = WORDS.find(([pattern]) => pattern.test(words));
  if (!found) return null;
  const [pattern, code, retryable] = found;
  const message = pattern === WORDS[0]?.[0] ? REFUSED : words.slice(0, 500);
  return new EngineError(code, message, retryable, { cause: cause ?? new Error(words.slice(0, 500)) });
}

/** Returns the error of a job that failed at the engine with this text. */
export const jobFailure = (words: string): EngineError =>
  failureOf(words) ?? new EngineError('engine_error', words.slice(0, 500) || 'the engine says no reason', true);
