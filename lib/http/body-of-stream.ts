import type { Readable } from 'node:stream';

/**
 * The bytes of a stream as the body of an answer, without a copy of each. The stream is destroyed when whoever asked is gone, also before
 * the first of them was read: one that nobody has begun to read would keep its connection to the store for good.
 */
export function bodyOfStream(bytes: Readable): ReadableStream<Uint8Array> {
  const chunks = bytes.iterator() as NodeJS.AsyncIterator<Uint8Array>;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void bytes.destroy(),
    },
    { highWaterMark: 0 },
  );
}
