import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { ReadRange } from '#lib/media/decoder';
import { guardedRequest, type GuardedAnswer, type GuardedOptions } from '#lib/media/guarded-request';
import { measureMedia } from '#lib/media/inspect-media';
import { isolated } from '#lib/media/isolated';
import type { MediaFacts } from '#lib/media/media-facts';
import { saveBody, tooLarge, unexpected } from '#lib/media/safe-fetch';
import { sniffed } from '#lib/media/sniff';
import { inTemporaryFolder } from '#lib/process/temporary-folder';

const TIMEOUT_MS = 15_000;
/** Most films have their head and their index in it. */
const FIRST_BYTES = 262_144;

/**
 * How long and how large a film at a client's https address is, from its head and its index: of a server that gives parts of a
 * file only those are fetched, within 15 seconds in all. Throws `UnusableMedia`.
 */
export const measureRemoteVideo = (
  address: string,
  { maxBytes, ...options }: Omit<GuardedOptions, 'timeoutMs'> & { maxBytes: number },
): Promise<MediaFacts> => {
  const headers = rangeHeader(0, FIRST_BYTES);
  return guardedRequest(address, { ...options, headers, timeoutMs: TIMEOUT_MS }, async answer => {
    const { statusCode, headers } = answer.response;
    const errand = { ...options, signal: answer.signal };
    if (statusCode !== 206) {
      return inTemporaryFolder(async folder => {
        const path = join(folder, 'film');
        await saveBody(answer, path, maxBytes);
        return measureMedia(path, errand);
      });
    }
    const bytes = Number(/^bytes 0-\d+\/(\d+)$/.exec(String(headers['content-range']))?.[1] ?? NaN);
    if (!(bytes >= 0)) throw unexpected(206);
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    const first = await buffer(answer.response.body);
    const type = sniffed(first);
    return isolated({ do: 'measure-remote', bytes, type }, { ...errand, read: reader(answer, first, maxBytes) });
  });
};

/** Reads parts of the file, the first of which is here already. No file is worth more than all its bytes. */
function reader({ again }: GuardedAnswer, first: Buffer, maxBytes: number): ReadRange {
  let left = maxBytes;
  return async (start, end) => {
    if (end <= first.length) return first.subarray(start, end);
    left -= end - start;
    if (left < 0) throw tooLarge(maxBytes);
    const { statusCode, body } = await again(rangeHeader(start, end));
    if (statusCode !== 206) throw unexpected(statusCode);
    const bytes = await limited(body, end - start);
    if (bytes.length !== end - start) throw new Error(`a part of ${end - start} bytes has ${bytes.length}`);
    return bytes;
  };
}

async function limited(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    if ((bytes += chunk.length) > most) break;
  }
  return Buffer.concat(chunks);
}

const rangeHeader = (start: number, end: number) => ({ range: `bytes=${start}-${end - 1}` });
