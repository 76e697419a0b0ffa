import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { guardedRequest, type GuardedAnswer, type GuardedOptions } from '#lib/media/guarded-request';
import { UnusableMedia } from '#lib/media/unusable-media';

export interface SafeFetchOptions extends GuardedOptions {
  /** Path of the file to write. It must not exist yet, and is removed after a failure. */
  to: string;
  maxBytes: number;
}

/** Downloads a client's https URL into a file through `guardedRequest`, and returns its length in bytes. */
export const safeFetch = (address: string, { to, maxBytes, ...options }: SafeFetchOptions): Promise<number> =>
  guardedRequest(address, options, answer => saveBody(answer, to, maxBytes));

/** Writes the body of a response with status 200 to a new file. Returns its length in bytes. */
export async function saveBody({ response, signal }: GuardedAnswer, to: string, maxBytes: number): Promise<number> {
  if (response.statusCode !== 200) throw unexpected(response.statusCode);
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  let bytes = 0;
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  };
  try {
    await pipeline(response.body, counted, createWriteStream(to, { flags: 'wx', mode: 0o600 }), { signal });
    return bytes;
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  }
}

export const unexpected = (status: number): UnusableMedia => new UnexpectedAnswer(status);

/** The server responded with an unexpected status. */
export class UnexpectedAnswer extends UnusableMedia {
  readonly status: number;

  constructor(status: number) {
    super(`Its server answered ${status}, not 200 with the file itself.`);
    this.status = status;
  }
}

export const tooLarge = (maxBytes: number): UnusableMedia =>
  new UnusableMedia(`The file at this address is larger than ${maxBytes.toLocaleString('en')} bytes.`);
