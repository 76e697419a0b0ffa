import { AppError } from '#lib/errors';
import { SNIFF_BYTES, sniffed } from '#lib/media/sniff';
import { UnusableMedia } from '#lib/media/unusable-media';

/**
 * The bytes of an upload while they arrive: no more than its ticket allows, and from the first ones on those of a file that is taken.
 * What comes once more (`again`) is held against the file that is there, whatever it is.
 */
export async function* uploadBody(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  { again }: { again: boolean },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let head: Uint8Array[] | null = again ? null : [];
  for await (const chunk of whole(body)) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLong(maxBytes);
    if (!head) {
      yield chunk;
      // taken over by now; until it is collected, such memory would pile up to tens of megabytes
      if (chunk.byteLength === chunk.buffer.byteLength) (chunk.buffer as ArrayBuffer).transfer(0);
    } else {
      head.push(chunk);
      if (bytes < SNIFF_BYTES) continue;
      yield requireMedia(head);
      head = null;
    }
  }
  if (head) yield requireMedia(head);
}

async function* whole(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    const message = 'The connection broke before the whole file arrived. Send it again.';
    throw new AppError('invalid_request', message, {}, { cause });
  }
}

function requireMedia(chunks: Uint8Array[]): Uint8Array {
  const head = Buffer.concat(chunks);
  try {
    sniffed(head);
    return head;
  } catch (cause) {
    if (!(cause instanceof UnusableMedia)) throw cause;
    throw new AppError('invalid_request', `${cause.message} Send another one.`, {}, { cause });
  }
}

export const tooLong = (maxBytes: number): AppError =>
  new AppError('request_too_large', `The file is longer than ${maxBytes} bytes.`);
