const [QUOTE, BACKSLASH, COMMA, COLON] = Buffer.from('"\\,:');
const SPACE = 0x20;
const BEYOND_ASCII = 0x80;
const [OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = Buffer.from('{[}]');

/** Measures a JSON text: a lower bound of its names and values, and its depth. Stops as soon as `most` is exceeded. */
export function measureJson(
  bytes: Uint8Array,
  most: { values: number; depth: number },
): { values: number; depth: number } {
  const found = { values: 0, depth: 0 };
  // what no bracket begins has no depth as JSON, and the parser stops at its start if it is none; a mark may precede it
  const first = bytes.find(byte => byte > SPACE && byte < BEYOND_ASCII);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return found;
  let open = 0;
  for (let at = 0; at < bytes.length && found.values <= most.values && found.depth <= most.depth; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at + 1);
    else if (byte === COMMA || byte === COLON) found.values++;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) found.depth = Math.max(found.depth, ++open);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) open--;
  }
  return found;
}

/** Returns the index of a string's closing quote, or the length. Strings without escapes are skipped by `indexOf`. */
function endOfText(bytes: Uint8Array, from: number): number {
  const quote = bytes.indexOf(QUOTE!, from);
  if (quote < 0) return bytes.length;
  if (bytes[quote - 1] !== BACKSLASH) return quote;
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}
