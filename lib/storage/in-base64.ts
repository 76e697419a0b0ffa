/** Bytes in base64, piece by piece: each piece but the last is of whole triples, so that nothing is held as a whole. */
export async function* inBase64(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const joined = Buffer.concat([rest, chunk]);
    const whole = joined.length - (joined.length % 3);
    yield joined.toString('base64', 0, whole);
    rest = joined.subarray(whole);
  }
  yield rest.toString('base64');
}
