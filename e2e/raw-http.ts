import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

interface RawRequest {
  method?: string;
  /** Sent exactly as written: nothing is resolved or encoded. */
  path: string;
  headers?: OutgoingHttpHeaders;
  /** Sent chunk by chunk, without a length, when it is a list. */
  body?: Buffer | Iterable<Buffer> | undefined;
}

interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Bytes of the body that had been handed over when the answer came. */
  sent: number;
}

/** One HTTP request below the level of fetch, for what a client library would tidy up. */
export function raw(baseURL: string, { method = 'GET', path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseURL);
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  let sent = 0;
  const outgoing = request({ hostname, port, method, path, headers, agent: false }, async incoming => {
    const atAnswer = sent;
    let text = '';
    // a server that refuses a body hangs up while it is still being sent
    incoming.on('error', () => {});
    incoming.setEncoding('utf8').on('data', chunk => (text += chunk));
    const finish = () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, sent: atAnswer });
    incoming.on('end', finish).on('close', finish);
  });
  outgoing.on('error', reject);
  const closed = once(outgoing, 'close').catch(() => {});
  // what breaks it is told by the request itself
  void send().catch(() => {});
  return promise;

  async function send(): Promise<void> {
    const chunks = body === undefined ? [] : Buffer.isBuffer(body) ? [body] : body;
    for (const chunk of chunks) {
      if (outgoing.destroyed || outgoing.writableEnded) return;
      sent += chunk.length;
      if (!outgoing.write(chunk)) await Promise.race([once(outgoing, 'drain'), closed]);
    }
    outgoing.end();
  }
}
