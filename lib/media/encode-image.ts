import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { tagsToJson, tagsToText } from '#lib/media/media-tags';
import type { MediaTags } from '#lib/media/media-tags';

interface Picture {
  width: number;
  height: number;
  /** Bytes per pixel: 3 (RGB) or 4 (RGBA). */
  channels: 3 | 4;
  data: Uint8Array | Uint8ClampedArray;
}

/** Length of the PNG signature and IHDR. Text chunks follow directly, so that readers find them without decoding. */
const HEAD_BYTES = 8 + 25;

/** Encodes a PNG with its tags: `pomona` (JSON), `parameters` and `Description` (readable text), `Software`. */
export async function encodeImage({ data, width, height, channels }: Picture, tags: MediaTags): Promise<Buffer> {
  const raw = { width, height, channels };
  // PNG encoding uses a single thread anyway, and several threads have been seen to deadlock
  sharp.concurrency(1);
  const png = await sharp(data, { raw, limitInputPixels: false })
    .removeAlpha()
    .png({ compressionLevel: 4, adaptiveFiltering: true })
    .toBuffer();
  return tagPicture(png, tags);
}

/** Returns the PNG with the tags inserted before its other chunks. */
export const tagPicture = (png: Buffer, tags: MediaTags): Buffer =>
  Buffer.concat([
    png.subarray(0, HEAD_BYTES),
    textChunk('Software', 'Pomona'),
    textChunk('Description', tags.prompt),
    textChunk('parameters', tagsToText(tags)),
    textChunk('pomona', tagsToJson(tags)),
    png.subarray(HEAD_BYTES),
  ]);

/** The chunks that determine the pixels of an RGB image. */
const DRAWN = new Set(['IHDR', 'tRNS', 'IDAT', 'IEND']);

/** Returns an intact RGB PNG with its pixels only: no text, profile or animation, and no bytes after IEND. */
export function barePicture(png: Buffer): Buffer {
  const kept = [png.subarray(0, 8)];
  for (let at = 8, name = ''; name !== 'IEND';) {
    const end = at + 12 + png.readUInt32BE(at);
    name = png.toString('latin1', at + 4, at + 8);
    if (DRAWN.has(name)) kept.push(png.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

/** `tEXt` holds Latin-1 only, so anything beyond ASCII goes into `iTXt`, which is UTF-8. */
function textChunk(keyword: string, text: string): Buffer {
  // ASCII includes line breaks and tabs
  const ascii = /^[\x01-\x7f]*$/.test(text);
  const body = Buffer.concat([
    Buffer.from(ascii ? `tEXt${keyword}\0` : `iTXt${keyword}\0\0\0\0\0`),
    Buffer.from(text.replaceAll('\0', '')),
  ]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
