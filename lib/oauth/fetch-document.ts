import { request } from 'undici';
import { guardedAgent } from '#lib/media/guarded-agent';
import { checkRemoteAddress } from '#lib/media/remote-address';

const LIMIT_MS = 5_000;
const MOST_BYTES = 16_384;

/**
 * Fetches the metadata document of an app from the URL that is its client id. Refuses private network addresses and
 * does not follow redirects.
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
