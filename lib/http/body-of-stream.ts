import type { Readable } from 'node:stream';

/**
 * Returns a stream as a response body, without copying its chunks. The stream is destroyed when the client disconnects,
 * even before the first read: an unread stream would hold its connection to the store forever.
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
