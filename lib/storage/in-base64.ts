/** Encodes a stream in base64, chunk by chunk; all chunks but the last are cut at multiples of 3 bytes. */
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
