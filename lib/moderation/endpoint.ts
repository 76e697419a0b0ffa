import { Agent, request } from 'undici';
import { z } from 'zod';
import { env } from '#lib/env';

const LIMIT_MS = 5_000;
/** Limits the size of a response, which is not decompressed: a few compressed bytes could expand beyond memory. */
const dispatcher = new Agent({ maxResponseSize: 1_000_000 });

const Answer = z.object({ results: z.array(z.object({ flagged: z.boolean() })).min(1) });

/** Whether prompts are sent to an external moderation service before they are accepted. */
export const isModerated = (): boolean => env().MODERATION_URL !== undefined;

/**
 * Whether the operator's OpenAI-compatible moderation endpoint flags the prompt; false when none is configured. Throws
 * when the endpoint fails: an operator who configured moderation wants no generation without it. The client may retry.
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
