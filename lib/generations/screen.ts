import { AppError } from '#lib/errors';
import { isFlagged } from '#lib/moderation/endpoint';
import { checkPolicy } from '#lib/moderation/policy';

/** Checks a prompt against the content policy. Throws `content_blocked` or `content_restricted`. */
export function requireAllowed(prompt: string, architectureId: string): void {
  const hit = checkPolicy(prompt, architectureId);
  if (hit?.scope === 'service') throw blocked();
  if (hit)
    throw new AppError(
      'content_restricted',
      'A legal restriction does not allow this prompt. Nothing was charged; ask for something else.',
    );
}

/** Checks a prompt with the operator's moderation endpoint, if there is one. Throws `content_blocked`. */
export async function requireUnflagged(prompt: string): Promise<void> {
  if (await isFlagged(prompt)) throw blocked();
}

const blocked = () =>
  new AppError('content_blocked', 'The content policy does not allow this prompt. Nothing was charged; rephrase it.');
