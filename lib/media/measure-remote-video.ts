import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadRange } from '#lib/media/probe-av';
import { guardedRequest, type GuardedAnswer, type GuardedOptions } from '#lib/media/guarded-request';
import { measureVideo } from '#lib/media/measure-video';
import type { MediaFacts } from '#lib/media/media-facts';
import { saveBody, tooLarge, unexpected } from '#lib/media/safe-fetch';
import { inTemporaryFolder } from '#lib/process/temporary-folder';

export const MEASURE_MS = 15_000;
/** Size of the first range: it holds header and index of most videos, and is at least what mediabunny reads first. */
const FIRST_BYTES = 524_288;

type MeasureOptions = Omit<GuardedOptions, 'timeoutMs' | 'headers'> & { maxBytes: number };

/**
 * Returns the duration and size of a video at a client's https URL, within 15 seconds. Fetches only header and index
 * when the server supports byte ranges. Throws `UnusableMedia`.
 */
export const measureRemoteVideo = (address: string, { maxBytes, ...options }: MeasureOptions): Promise<MediaFacts> =>
  guardedRequest(address, { ...options, headers: rangeHeader(0, FIRST_BYTES), timeoutMs: MEASURE_MS }, answer =>
    answer.response.statusCode === 206
      ? measurePieces(answer, options, maxBytes)
      : measureWhole(answer, options, maxBytes),
  );

async function measurePieces(answer: GuardedAnswer, errand: object, maxBytes: number): Promise<MediaFacts> {
  const { headers, body } = answer.response;
  const [, length] = /^bytes 0-\d+\/(\d+)$/.exec(String(headers['content-range'])) ?? [];
  const bytes = Number(length ?? NaN);
  if (Number.isNaN(bytes)) throw unexpected(206);
  if (bytes > maxBytes) throw tooLarge(maxBytes);
  const read = reader(answer, await limited(body, FIRST_BYTES), maxBytes);
  return measureVideo({ bytes, read }, { ...errand, signal: answer.signal });
}

/** Measures a video on a server that does not support byte ranges. */
const measureWhole = (answer: GuardedAnswer, errand: object, maxBytes: number): Promise<MediaFacts> =>
  inTemporaryFolder(async folder => {
    const path = join(folder, 'film');
    const bytes = await saveBody(answer, path, maxBytes);
    const file = await open(path);
    try {
      const read: ReadRange = async (start, end) =>
        (await file.read(Buffer.alloc(end - start), 0, end - start, start)).buffer;
      return await measureVideo({ bytes, read }, { ...errand, signal: answer.signal });
    } finally {
      await file.close();
    }
  });

/** Reads ranges of the file, given its first bytes. All ranges together may not exceed `maxBytes`. */
function reader({ again }: GuardedAnswer, first: Buffer, maxBytes: number): ReadRange {
  let left = maxBytes;
  return async (start, end) => {
    if (end <= first.length) return first.subarray(start, end);
    left -= end - start;
    if (left < 0) throw tooLarge(maxBytes);
    const { statusCode, body } = await again(rangeHeader(start, end));
    if (statusCode !== 206) throw unexpected(statusCode);
    const piece = await limited(body, end - start);
    if (piece.length < end - start) throw new Error(`a piece of ${end - start} bytes has ${piece.length}`);
    return piece;
  };
}

/** Returns at most `most` bytes of the body and ignores the rest. */
async function limited(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}

const rangeHeader = (start: number, end: number) => ({ range: `bytes=${start}-${end - 1}` });
