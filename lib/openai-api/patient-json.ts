import { ReadableStream as NodeStream } from 'node:stream/web';

interface Patience {
  /** Headers of the answer, which are sent before its content is known. */
  headers: Record<string, string>;
  /** Interval at which a space keeps the connection alive; shorter than the timeout of proxies. */
  everyMs?: number;
}

/**
 * Returns a JSON answer that may take minutes: until a part is ready, spaces, which JSON allows, keep the connection
 * open. The status is sent first, so later errors must be told in the body. A client that disconnects ends `parts`.
 */
export function patientJson(parts: AsyncGenerator<string>, { headers, everyMs = 15_000 }: Patience): Response {
  const encoder = new TextEncoder();
  async function* bytes() {
    try {
      let next = parts.next();
      for (;;) {
        const timer = Promise.withResolvers<null>();
        const timeout = setTimeout(() => timer.resolve(null), everyMs);
        const part = await Promise.race([next, timer.promise]).finally(() => clearTimeout(timeout));
        if (part?.done) return;
        yield encoder.encode(part ? part.value : ' ');
        if (part) next = parts.next();
      }
    } finally {
      await parts.return(undefined);
    }
  }
  return new Response(NodeStream.from(bytes()) as ReadableStream<Uint8Array>, {
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
}
