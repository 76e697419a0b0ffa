import { open } from 'node:fs/promises';
import type { Errand } from '#lib/media/fair-gate';
import { isolated } from '#lib/media/isolated';
import type { ClipFacts } from '#lib/media/normalize-clip';
import type { MediaFacts } from '#lib/media/media-facts';
import type { VideoWish } from '#lib/media/remake-video';
import { SNIFF_BYTES, sniffed } from '#lib/media/sniff';
import type { MediaType } from '#lib/storage/media-types';

/** What a file really is, found by decoding it in a process of its own. Throws `UnusableMedia`. */
export async function inspectMedia(path: string, errand?: Errand): Promise<MediaFacts> {
  return isolated({ do: 'probe', path, type: await sniffFile(path) }, errand);
}

/** The type that a file's beginning shows. Throws `UnusableMedia`. */
export const sniffFile = async (path: string): Promise<MediaType> => sniffed(await readHead(path));

/** Writes a copy of an image at `to`, a JPEG or PNG that holds its pixels, upright, and nothing else; no larger than `maxSide`. */
export const normalizeImage = (path: string, to: string, errand?: Errand, maxSide?: number): Promise<MediaFacts> =>
  isolated({ do: 'image', path, to, maxSide }, errand);

/** Writes the first `maxSeconds` of a sound at `to`: mono MP3, 44.1 kHz, about -16 LUFS. */
export const normalizeClip = (path: string, to: string, maxSeconds: number, errand?: Errand): Promise<ClipFacts> =>
  isolated({ do: 'clip', path, to, maxSeconds }, errand);

/** Writes the frames of a video at `to`: an MP4 of our own, upright and at an even rate. */
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
