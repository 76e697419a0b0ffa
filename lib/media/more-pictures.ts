import { open } from 'node:fs/promises';
import type { MediaType } from '#lib/storage/media-types';

/** Maximum number of parts before the pixels; an ordinary image has fewer. */
const MOST_PARTS = 1_000;

/**
 * Whether a PNG or JPEG may hold further images, such as frames of an animation or the second image of a stereo camera.
 * libvips reads the first only and does not count the others, but Pillow, which ComfyUI uses, may decode all of them.
 */
export async function holdsMore(path: string, contentType: MediaType | (string & {})): Promise<boolean> {
  const read = READERS[contentType];
  if (!read) return false;
  const file = await open(path);
  try {
    let at = read.from;
    for (let parts = 0; parts < MOST_PARTS; parts++) {
      const { buffer } = await file.read(Buffer.alloc(12), 0, 12, at);
      const { means, length } = read.part(buffer);
      if (means) return means === 'more';
      at += length;
    }
    // a file whose parts cannot all be read is re-encoded rather than trusted
    return true;
  } finally {
    await file.close();
  }
}

/** A part of a file: its length, and the result when it ends the search. */
interface Part {
  length: number;
  means?: 'pixels' | 'more' | undefined;
}

const READERS: Record<string, { from: number; part(head: Buffer): Part }> = {
  'image/png': {
    from: 8,
    part(head) {
      const means = ({ IDAT: 'pixels', acTL: 'more' } as const)[head.toString('latin1', 4, 8)];
      return { length: head.readUInt32BE() + 12, means };
    },
  },
  'image/jpeg': {
    from: 2,
    part(head) {
      const [lead, marker] = head;
      if (lead !== 0xff) return { length: 0, means: 'more' };
      if (marker === 0xff) return { length: 1 };
      if (marker === 0xda) return { length: 0, means: 'pixels' };
      const isIndex = marker === 0xe2 && head.toString('latin1', 4, 8) === 'MPF\0';
      return { length: head.readUInt16BE(2) + 2, means: isIndex ? 'more' : undefined };
    },
  },
};
