import { ReadableStream as NodeStream } from 'node:stream/web';

interface Patience {
  /** Headers of the answer, which begins before it is known. */
  headers: Record<string, string>;
  /** How often a space says that the connection lives: sooner than a proxy hangs up. */
  everyMs?: number;
}

/**
 * An answer in JSON that may take minutes: until it is there, the spaces that JSON may begin with keep the connection open. By
 * then its status is sent, so that whatever goes wrong has to be told by the body. Who hangs up ends the parts.
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
