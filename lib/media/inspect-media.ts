import { open } from 'node:fs/promises';
import type { Errand } from '#lib/media/fair-gate';
import { isolated } from '#lib/media/isolated';
import type { ClipFacts } from '#lib/media/normalize-clip';
import type { MediaFacts } from '#lib/media/media-facts';
import type { VideoWish } from '#lib/media/remake-video';
import { SNIFF_BYTES, sniffed } from '#lib/media/sniff';
import type { MediaType } from '#lib/storage/media-types';

/** Returns the facts of a file, found by decoding it in a decoder process. Throws `UnusableMedia`. */
export async function inspectMedia(path: string, errand?: Errand): Promise<MediaFacts> {
  return isolated({ do: 'probe', path, type: await sniffFile(path) }, errand);
}

/** Returns the type of a file by its first bytes. Throws `UnusableMedia`. */
export const sniffFile = async (path: string): Promise<MediaType> => sniffed(await readHead(path));

/** Writes an upright copy of an image, without metadata, to `to` as JPEG or PNG. No side is longer than `maxSide`. */
export const normalizeImage = (path: string, to: string, errand?: Errand, maxSide?: number): Promise<MediaFacts> =>
  isolated({ do: 'image', path, to, maxSide }, errand);

/** Writes the first `maxSeconds` of an audio file to `to`: mono MP3, 44.1 kHz, about -16 LUFS. */
export const normalizeClip = (path: string, to: string, maxSeconds: number, errand?: Errand): Promise<ClipFacts> =>
  isolated({ do: 'clip', path, to, maxSeconds }, errand);

/** Writes the frames of a video to `to`: a new MP4 without sound, upright and at a constant frame rate. */
export const normalizeVideo = (path: string, to: string, wish: VideoWish, errand?: Errand): Promise<undefined> =>
  isolated({ do: 'video', path, to, ...wish }, errand);

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
