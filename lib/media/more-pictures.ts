import { open } from 'node:fs/promises';
import type { MediaType } from '#lib/storage/media-types';

/** What has more parts than this before its pixels is no ordinary picture. */
const MOST_PARTS = 1_000;

/**
 * Whether a PNG or JPEG may hold further pictures: frames of an animation, the other eye of a stereo camera. libvips sees the
 * first alone and counts no other, but whoever reads such a file with Pillow, as ComfyUI does, may decode all of them.
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
    // whatever cannot be walked through is remade rather than trusted
    return true;
  } finally {
    await file.close();
  }
}

/** The part whose first bytes these are: its length, and what it ends the search with. */
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
