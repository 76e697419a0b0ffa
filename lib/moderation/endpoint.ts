import { Agent, request } from 'undici';
import { z } from 'zod';
import { env } from '#lib/env';

const LIMIT_MS = 5_000;
/** It is taken as it comes, and unpacked by nobody: a few bytes may hold more than our memory. */
const dispatcher = new Agent({ maxResponseSize: 1_000_000 });

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
    const { statusCode, body } = await request(`${MODERATION_URL.replace(/\/$/, '')}/moderations`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        ...(MODERATION_KEY && { authorization: `Bearer ${MODERATION_KEY}` }),
      },
      body: JSON.stringify({ model: MODERATION_MODEL, input: prompt }),
      dispatcher,
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const said = await body.text();
    if (statusCode < 200 || statusCode > 299) throw new Error(`it answered ${statusCode}`);
    return Answer.parse(JSON.parse(said)).results.some(({ flagged }) => flagged);
  } catch (cause) {
    throw new Error(`the moderation endpoint ${MODERATION_URL} could not be used`, { cause });
  }
}
