import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { tagsToJson, tagsToText } from '#lib/media/media-tags';
import type { MediaTags } from '#lib/media/media-tags';

export interface Picture {
  width: number;
  height: number;
  /** 3 (RGB) or 4 (RGBA) bytes a pixel. */
  channels: 3 | 4;
  data: Uint8Array | Uint8ClampedArray;
}

/** PNG signature and IHDR: text chunks go right behind them, where readers look without decoding. */
const HEAD_BYTES = 8 + 25;

/** A PNG that carries its tags: `pomona` (JSON), `parameters` and `Description` (readable), `Software`. */
export async function encodeImage({ data, width, height, channels }: Picture, tags: MediaTags): Promise<Buffer> {
  const raw = { width, height, channels };
  const png = await sharp(data, { raw, limitInputPixels: false })
    .removeAlpha()
    .png({ compressionLevel: 4, adaptiveFiltering: true })
    .toBuffer();
  return tagPicture(png, tags);
}

/** A PNG with our tags in front of whatever else it carries. */
export const tagPicture = (png: Buffer, tags: MediaTags): Buffer =>
  Buffer.concat([
    png.subarray(0, HEAD_BYTES),
    textChunk('Software', 'Pomona'),
    textChunk('Description', tags.prompt),
    textChunk('parameters', tagsToText(tags)),
    textChunk('pomona', tagsToJson(tags)),
    png.subarray(HEAD_BYTES),
  ]);

/** `tEXt` holds Latin-1 only, so anything beyond ASCII goes into `iTXt`, which is UTF-8. */
function textChunk(keyword: string, text: string): Buffer {
  // oxlint-disable-next-line no-control-regex -- ASCII includes line breaks and tabs
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
