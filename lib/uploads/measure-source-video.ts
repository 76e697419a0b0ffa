import { buffer } from 'node:stream/consumers';
import type { MediaRow } from '#lib/media/find-media';
import type { GuardedOptions } from '#lib/media/guarded-request';
import { measureRemoteVideo } from '#lib/media/measure-remote-video';
import { measureVideo, type Pieces } from '#lib/media/measure-video';
import { requireKind } from '#lib/media/require-kind';
import { storage } from '#lib/storage/store';
import { isInspected } from '#lib/uploads/keep-input';
import { errandOf, inField, type MediaField } from '#lib/uploads/media-input';
import { readMediaValue } from '#lib/uploads/read-media-value';
import { MAX_UPLOAD_BYTES } from '#lib/uploads/upload-ticket';

interface VideoMeasure {
  /** Seconds. */
  duration: number;
  width: number;
  height: number;
}

/**
 * Measures the source video of a field (https URL, upload URL, any media URL of the account, data URL) from its header
 * and index. Stores and decodes nothing: the file is verified when it is taken as an input. Refusals are `AppError`s
 * that name the field.
 */
export const measureSourceVideo = (
  accountId: string,
  value: unknown,
  { network, ...field }: MediaField & { network?: GuardedOptions['network'] },
): Promise<VideoMeasure> =>
  inField(field, async () => {
    const { duration, width, height } = await measure(accountId, value, { ...errandOf(accountId, field), network });
    return { duration: duration ?? 0, width: width ?? 0, height: height ?? 0 };
  });

async function measure(accountId: string, value: unknown, errand: Omit<GuardedOptions, 'timeoutMs'>) {
  const found = await readMediaValue(accountId, value);
  if ('remote' in found) return measureRemoteVideo(found.remote, { ...errand, maxBytes: MAX_UPLOAD_BYTES });
  if ('bytes' in found) return measureVideo(piecesOfBytes(found.bytes), errand);
  if (!isInspected(found.row)) return measureVideo(piecesOfFile(found.row), errand);
  requireKind(found.row.contentType, 'video');
  return found.row;
}

const piecesOfBytes = (bytes: Buffer): Pieces => ({
  bytes: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
});

const piecesOfFile = ({ key, bytes }: MediaRow): Pieces => ({
  bytes,
  read: async (start, end) =>
    end > start ? buffer(await storage().get(key, { start, end: end - 1 })) : Buffer.alloc(0),
});
