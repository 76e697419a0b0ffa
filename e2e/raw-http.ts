import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

interface RawRequest {
  method?: string;
  /** Path, sent exactly as written, without resolving or encoding. */
  path: string;
  headers?: OutgoingHttpHeaders;
  /** Body; a list is sent chunk by chunk, without a content length. */
  body?: Buffer | Iterable<Buffer> | undefined;
}

interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Bytes of the body that had been written when the answer came. */
  sent: number;
}

/** Sends an HTTP request below the level of fetch, for requests that a client library would normalise. */
export function raw(baseURL: string, { method = 'GET', path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseURL);
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  let sent = 0;
  const outgoing = request({ hostname, port, method, path, headers, agent: false }, async incoming => {
    const atAnswer = sent;
    let text = '';
    // a server that refuses a body closes the connection while the body is still being sent
    incoming.on('error', () => {});
    incoming.setEncoding('utf8').on('data', chunk => (text += chunk));
    const finish = () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, sent: atAnswer });
    incoming.on('end', finish).on('close', finish);
  });
  outgoing.on('error', reject);
  const closed = once(outgoing, 'close').catch(() => {});
  // the 'error' handler of the request reports failures
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
