import { request, type Dispatcher } from 'undici';
import type { DeliveryTry } from '#lib/db/schema';
import { guardedAgent, type TestNetwork } from '#lib/media/guarded-agent';
import { checkRemoteAddress } from '#lib/media/remote-address';
import { UnusableMedia } from '#lib/media/unusable-media';
import { orAborted } from '#lib/process/or-aborted';

const LIMIT_MS = 15_000;
/** Maximum number of bytes of a response that are read, and kept to be shown. */
const ANSWER_BYTES = 1_000;

interface Message {
  url: string;
  headers: Record<string, string>;
  body: string;
  network?: TestNetwork | undefined;
}

/**
 * Posts a message to a client's address and returns the outcome; never rejects. Refuses addresses that are not allowed,
 * such as private ones. Redirects are not followed: like any other status outside of 2xx, they are failures.
 */
export async function sendMessage({ url, headers, body, network }: Message): Promise<DeliveryTry> {
  const at = new Date().toISOString();
  const started = performance.now();
  const limit = AbortSignal.timeout(LIMIT_MS);
  const since = () => Math.round(performance.now() - started);
  try {
    const address = checkRemoteAddress(url, { plainInside: true });
    const dispatcher = await guardedAgent(address, { network, timeoutMs: LIMIT_MS, signal: limit });
    try {
      const answered = request(address, {
        dispatcher,
        signal: limit,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Pomona',
          'accept-encoding': 'identity',
          ...headers,
        },
        body,
      });
      const response = await orAborted(answered, limit);
      const ms = since();
      return { at, ms, status: response.statusCode, answer: await beginningOf(response.body), error: null };
    } finally {
      // the rest of the response is not read
      await dispatcher.destroy();
    }
  } catch (error) {
    return { at, ms: since(), status: null, answer: '', error: limit.aborted ? LATE : wordsFor(error) };
  }
}

const LATE = `No answer within ${LIMIT_MS / 1000} seconds.`;

function wordsFor(error: unknown): string {
  if (error instanceof UnusableMedia) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return `The connection failed: ${code ?? message}.`;
}

/** Reads the first bytes of a response, as text without null characters. A body that breaks off is no failure. */
async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= ANSWER_BYTES) break;
    }
  } catch {
    // the status has arrived, which is all that counts
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}
