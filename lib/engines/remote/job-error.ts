import { EngineError, type EngineErrorCode } from '#lib/engines/engine';
import type { EngineRefusal } from '#lib/engines/engine-refusal';

/** Words of engines and hosted services, and what they mean whatever the status. The first that fits wins. */
const WORDS: [RegExp, EngineErrorCode, retryable: boolean][] = [
  [
    /content[_ ]polic|content_filter|moderation_blocked|safety (system|checker|filter)|nsfw (content|image)|flagged (as|by)|\(E005\)/i,
    'invalid_input',
    false,
  ],
  // asking again is no use before somebody pays; words of a quota alone may mean that of a minute
  [/insufficient_quota|billing[_ ]hard[_ ]limit/i, 'engine_unavailable', false],
  [/out of memory|OutOfMemory|\bOOM\b|failed to allocate|cudaMalloc/i, 'out_of_memory', false],
  [/model\b.{0,120}?(not found|does not exist|not loaded|not available)|model_not_found/i, 'model_missing', false],
];

const REFUSED = 'The content policy of the model refused the prompt or the media.';

const STATUS: Record<number, [EngineErrorCode, retryable: boolean]> = {
  400: ['invalid_input', false],
  // no credit left: nothing that whoever asked could change
  402: ['engine_unavailable', false],
  404: ['model_missing', false],
  408: ['timeout', true],
  409: ['engine_unavailable', true],
  415: ['invalid_input', false],
  422: ['invalid_input', false],
  // said by what stands before a server that fell, perhaps of the job
  502: ['engine_unavailable', false],
  504: ['timeout', true],
};

/**
 * What an engine's refusal of a job means. The message of a content policy's refusal may be shown to whoever asked; all
 * others are for the log.
 */
export function refusalOf(refusal: EngineRefusal): EngineError {
  const spoken = failureOf(refusal.words, refusal);
  if (spoken) return spoken;
  const [code, retryable] = STATUS[refusal.status] ?? [refusal.code, refusal.retryable];
  return new EngineError(code, refusal.message, retryable, { cause: refusal, retryAfter: refusal.retryAfter });
}

/** What the words that a failed job left behind mean; null when they are none that are known. */
function failureOf(words: string, cause?: unknown): EngineError | null {
  const found = WORDS.find(([pattern]) => pattern.test(words));
  if (!found) return null;
  const [pattern, code, retryable] = found;
  const message = pattern === WORDS[0]?.[0] ? REFUSED : words.slice(0, 500);
  return new EngineError(code, message, retryable, { cause: cause ?? new Error(words.slice(0, 500)) });
}

/** A job that failed at the engine with these words. */
export const jobFailure = (words: string): EngineError =>
  failureOf(words) ?? new EngineError('engine_error', words.slice(0, 500) || 'the engine says no reason', true);
