import { AppError } from '#lib/errors';
import { SNIFF_BYTES, sniffed } from '#lib/media/sniff';
import type { MediaKind } from '#lib/media-kind';
import { UnusableMedia } from '#lib/media/unusable-media';

/**
 * Yields the bytes of an upload as they arrive. Throws when they exceed the ticket's limit or do not start like a
 * supported media file; the message then names the types of the declared `kind`. The type of a repeated upload
 * (`again`) is not checked, because the store compares it with the existing file.
 */
export async function* uploadBody(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  { again, kind }: { again: boolean; kind: MediaKind },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let head: Uint8Array[] | null = again ? null : [];
  for await (const chunk of whole(body)) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLong(maxBytes);
    if (!head) {
      yield chunk;
      // the consumer has copied the chunk, whose memory is freed here: tens of megabytes would pile up until collected
      if (chunk.byteLength === chunk.buffer.byteLength) (chunk.buffer as ArrayBuffer).transfer(0);
    } else {
      head.push(chunk);
      if (bytes < SNIFF_BYTES) continue;
      yield requireMedia(head, kind);
      head = null;
    }
  }
  if (head) yield requireMedia(head, kind);
}

async function* whole(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    const message = 'The connection broke before the whole file arrived. Send it again.';
    throw new AppError('invalid_request', message, {}, { cause });
  }
}

function requireMedia(chunks: Uint8Array[], kind: MediaKind): Uint8Array {
  const head = Buffer.concat(chunks);
  try {
    sniffed(head, kind);
    return head;
  } catch (cause) {
    if (!(cause instanceof UnusableMedia)) throw cause;
    throw new AppError('invalid_request', `${cause.message} Send another one.`, {}, { cause });
  }
}

export const tooLong = (maxBytes: number): AppError =>
  new AppError('request_too_large', `The file is longer than ${maxBytes} bytes.`);
