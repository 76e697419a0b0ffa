import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { EngineError } from '#lib/engines/engine';
import { safeFetch, UnexpectedAnswer, type SafeFetchOptions } from '#lib/media/safe-fetch';
import { UnusableMedia } from '#lib/media/unusable-media';
import { isOutage } from '#lib/outage';
import { makeTemporaryFolder, removeTemporaryFolder } from '#lib/process/temporary-folder';

/** Maximum size of an output file, in bytes. */
export const FILE_BYTES = 4_000_000_000;
/** Timeout for the entire download of a file. */
const FOREIGN_MS = 1_800_000;
/** Time during which an unavailable external service is retried, since its file is already paid for. */
const AWAY_MS = 300_000;
const LONGEST_PAUSE_MS = 30_000;

type ForeignOptions = Pick<SafeFetchOptions, 'silenceMs' | 'network' | 'signal'>;

/**
 * Downloads a file from an external service into a temporary file, which is deleted when the returned stream closes.
 */
export async function downloadForeign(url: URL, options: ForeignOptions): Promise<Readable> {
  const folder = await makeTemporaryFolder();
  try {
    const to = join(folder, 'file');
    await whenBack(() => safeFetch(url.href, { ...options, to, maxBytes: FILE_BYTES, timeoutMs: FOREIGN_MS }), options);
    return createReadStream(to).once('close', () => void removeTemporaryFolder(folder));
  } catch (error) {
    await removeTemporaryFolder(folder);
    if (!(error instanceof UnusableMedia)) throw error;
    // not retryable: the next result would have an http address too
    const isElsewhere = url.protocol === 'http:';
    const hint = isElsewhere
      ? ` Name ${url.origin} in the "origins" of the engine, if results may come from there.`
      : '';
    const message = `a result was not fetched from ${url.host}: ${error.message}${hint}`;
    throw new EngineError('engine_error', message, !isElsewhere, { cause: error });
  }
}

/** Retries with back-off while the external service is unavailable. */
async function whenBack<T>(fetch: () => Promise<T>, { signal }: ForeignOptions): Promise<T> {
  const begun = performance.now();
  for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await fetch();
    } catch (error) {
      if (!isAway(error) || performance.now() - begun > AWAY_MS) throw error;
    }
    await pause(pauseMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof UnexpectedAnswer ? error.status >= 500 || error.status === 429 : isOutage(error);
