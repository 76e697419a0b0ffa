import { open } from 'node:fs/promises';
import { isolated } from '#lib/media/isolated';
import type { ClipFacts } from '#lib/media/normalize-clip';
import type { MediaFacts } from '#lib/media/media-facts';
import { SNIFF_BYTES, sniffType } from '#lib/media/sniff';
import { UnusableMedia } from '#lib/media/unusable-media';

/** What a file really is, found by decoding it in a process of its own. Throws `UnusableMedia`. */
export async function inspectMedia(path: string): Promise<MediaFacts> {
  const type = sniffType(await readHead(path));
  if (!type) throw new UnusableMedia('The file is not a JPEG, PNG, MP4, MOV, WebM, MP3 or WAV.');
  return isolated({ do: 'probe', path, type });
}

/** Writes a copy of a JPEG or PNG at `to` that holds its pixels, upright, and nothing else. */
export const normalizeImage = (path: string, to: string): Promise<MediaFacts> => isolated({ do: 'image', path, to });

/** Writes the first `maxSeconds` of a sound at `to`: mono MP3, 44.1 kHz, about -16 LUFS. */
export const normalizeClip = (path: string, to: string, maxSeconds: number): Promise<ClipFacts> =>
  isolated({ do: 'clip', path, to, maxSeconds });

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
