import { AppError } from '#lib/errors';
import { isFlagged } from '#lib/moderation/endpoint';
import { checkPolicy } from '#lib/moderation/policy';

/** Holds a prompt against the rules of the content policy. */
export function requireAllowed(prompt: string, architectureId: string): void {
  const hit = checkPolicy(prompt, architectureId);
  if (hit?.scope === 'service') throw blocked();
  if (hit)
    throw new AppError(
      'content_restricted',
      'A legal restriction does not allow this prompt. Nothing was charged; ask for something else.',
    );
}

/** Asks the operator's moderation endpoint, when there is one. */
export async function requireUnflagged(prompt: string): Promise<void> {
  if (await isFlagged(prompt)) throw blocked();
}

const blocked = () =>
  new AppError('content_blocked', 'The content policy does not allow this prompt. Nothing was charged; rephrase it.');
