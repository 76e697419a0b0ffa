import { request } from 'undici';
import { guardedAgent } from '#lib/media/guarded-agent';
import { checkRemoteAddress } from '#lib/media/remote-address';

const LIMIT_MS = 5_000;
const MOST_BYTES = 16_384;

/**
 * Fetches what an app says of itself, at the address that is its name: never from inside, and from nowhere else than there, so
 * that a redirect is no answer.
 */
export async function fetchDocument(address: string | URL | Request): Promise<Response> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  const url = checkRemoteAddress(String(address));
  const dispatcher = await guardedAgent(url, { timeoutMs: LIMIT_MS, signal });
  try {
    const headers = { accept: 'application/json', 'user-agent': 'Pomona' };
    const { statusCode, headers: given, body } = await request(url, { dispatcher, signal, headers });
    let text = '';
    for await (const chunk of body.setEncoding('utf8')) {
      text += chunk;
      if (text.length > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes at ${url.host}`);
    }
    return new Response(text, {
      status: statusCode,
      headers: { 'cache-control': String(given['cache-control'] ?? '') },
    });
  } finally {
    await dispatcher.destroy();
  }
}
