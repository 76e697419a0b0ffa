/**
 * Splits a body into parts of `size` bytes; the last one may be shorter. Each chunk is copied before the next one is
 * requested. Two buffers alternate, so that one part can be sent while the next one fills: a part is valid until the
 * next but one is requested.
 */
export async function* inParts(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  size: number,
): AsyncGenerator<Buffer, undefined> {
  const buffers: Buffer[] = [];
  let turn = 0;
  let length = 0;
  for await (let chunk of body) {
    while (chunk.length > 0) {
      const part = (buffers[turn] ??= Buffer.allocUnsafeSlow(size));
      const taken = chunk.subarray(0, size - length);
      part.set(taken, length);
      length += taken.length;
      chunk = chunk.subarray(taken.length);
      if (length < size) continue;
      yield part;
      turn = 1 - turn;
      length = 0;
    }
  }
  if (length > 0) yield buffers[turn]!.subarray(0, length);
  return undefined;
}
