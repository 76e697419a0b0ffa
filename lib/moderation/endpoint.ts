import { z } from 'zod';
import { env } from '#lib/env';

const LIMIT_MS = 5_000;

const Answer = z.object({ results: z.array(z.object({ flagged: z.boolean() })).min(1) });

/** Whether a prompt is shown to somebody else before it is accepted. */
export const isModerated = (): boolean => env().MODERATION_URL !== undefined;

/**
 * Whether the operator's OpenAI-compatible moderation endpoint flags the prompt; false when none is configured. Throws when it
 * does not answer: who asked for moderation does not want generations without it, and the client may try again.
 */
export async function isFlagged(prompt: string): Promise<boolean> {
  const { MODERATION_URL, MODERATION_KEY, MODERATION_MODEL } = env();
  if (!MODERATION_URL) return false;
  try {
    const response = await fetch(`${MODERATION_URL.replace(/\/$/, '')}/moderations`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(MODERATION_KEY && { authorization: `Bearer ${MODERATION_KEY}` }),
      },
      body: JSON.stringify({ model: MODERATION_MODEL, input: prompt }),
      redirect: 'error',
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return Answer.parse(await response.json()).results.some(({ flagged }) => flagged);
  } catch (cause) {
    throw new Error(`the moderation endpoint ${MODERATION_URL} could not be used`, { cause });
  }
}
