import { toSettings, type Settings } from '#components/studio/read-snippet';

/** Bytes searched at each end of a file: settings are one JSON object near the start (PNG, MP3) or the end (MP4). */
const NEAR = 2_000_000;
const MARK = '{"generator":"Pomona"';

/** Returns the settings in a PNG, MP4 or MP3 of this service; null when there are none. */
export async function readFileSettings(file: Blob): Promise<Settings | null> {
  const parts = file.size <= 2 * NEAR ? [file] : [file.slice(0, NEAR), file.slice(-NEAR)];
  for (const part of parts) {
    const bytes = new Uint8Array(await part.arrayBuffer());
    for (const encoding of ['utf-8', 'utf-16le'] as const) {
      const json = findJson(bytes, encoding);
      if (json) return toSettings(json);
    }
  }
  return null;
}

function findJson(bytes: Uint8Array, encoding: 'utf-8' | 'utf-16le'): Record<string, unknown> | null {
  const width = encoding === 'utf-8' ? 1 : 2;
  const mark = Array.from(MARK, char => [char.charCodeAt(0), 0].slice(0, width)).flat();
  const at = indexOf(bytes, mark);
  if (at < 0) return null;
  const text = new TextDecoder(encoding).decode(bytes.subarray(at, at + 400_000));
  try {
    return JSON.parse(text.slice(0, endOfObject(text))) as Record<string, unknown>;
  } catch {
    // the JSON is truncated, or was not written by this service
    return null;
  }
}

function indexOf(bytes: Uint8Array, mark: readonly number[]): number {
  for (let at = bytes.indexOf(mark[0] ?? 0); at >= 0; at = bytes.indexOf(mark[0] ?? 0, at + 1)) {
    if (mark.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}

/** Returns the index at which the JSON object that starts the text ends. */
function endOfObject(text: string): number {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isText) {
      if (char === '\\') at++;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at + 1;
  }
  return text.length;
}
