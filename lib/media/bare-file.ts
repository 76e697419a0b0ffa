import { buffer } from 'node:stream/consumers';
import type { ByteRange } from '#lib/storage/storage';
import { storage } from '#lib/storage/store';

/** The pieces of a file in order: ranges of the stored file, and bytes to serve in between. */
type Pieces = (ByteRange | Buffer)[];

export const lengthOf = (piece: Pieces[number]): number =>
  'start' in piece ? piece.end - piece.start + 1 : piece.length;

interface Stored {
  key: string;
  contentType: string;
  bytes: number;
}

/** Returns a result without the tags that say how it was made. Finds tags only where Pomona writes them. */
export async function bareOf(file: Stored): Promise<Pieces> {
  switch (file.contentType) {
    case 'image/png':
      return barePng(file);
    case 'video/mp4':
      return bareMp4(file);
    case 'audio/mpeg':
      return bareMp3(file);
    default:
      throw new Error(`a result of the type ${file.contentType}`);
  }
}

const SIGNATURE_AND_HEAD = 8 + 25;
const TEXTS = ['tEXt', 'zTXt', 'iTXt'];

/** Text chunks follow directly after IHDR. */
async function barePng(file: Stored): Promise<Pieces> {
  let at = SIGNATURE_AND_HEAD;
  for (;;) {
    const head = await read(file, at, 8);
    if (!TEXTS.includes(head.toString('latin1', 4))) break;
    at += 12 + head.readUInt32BE(0);
  }
  return [{ start: 0, end: SIGNATURE_AND_HEAD - 1 }, from(file, at)];
}

/** An ID3 tag precedes the audio; its length is stored with seven bits per byte. */
async function bareMp3(file: Stored): Promise<Pieces> {
  const head = await read(file, 0, 10);
  if (head.toString('latin1', 0, 3) !== 'ID3') return [from(file, 0)];
  const length = head.subarray(6).reduce((sum, byte) => sum * 128 + byte, 0);
  return [from(file, 10 + length)];
}

/** Replaces the `udta` box with a `free` box of equal length, so that no offset in the file changes. */
async function bareMp4(file: Stored): Promise<Pieces> {
  const movie = await findBox(file, 'moov', { start: 0, end: file.bytes - 1 });
  const user = movie && (await findBox(file, 'udta', { start: movie.start + 8, end: movie.end }));
  if (!user) return [from(file, 0)];
  const empty = Buffer.alloc(lengthOf(user));
  empty.writeUInt32BE(empty.length, 0);
  empty.write('free', 4);
  return [{ start: 0, end: user.start - 1 }, empty, from(file, user.end + 1)];
}

async function findBox(file: Stored, name: string, { start, end }: ByteRange): Promise<ByteRange | null> {
  for (let at = start; at + 8 <= end;) {
    const head = await read(file, at, 16);
    const short = head.readUInt32BE(0);
    // 0: the box extends to the end; 1: a 64-bit length follows the name
    const length = short === 0 ? end - at + 1 : short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    if (head.toString('latin1', 4, 8) === name) return { start: at, end: at + length - 1 };
    at += Math.max(8, length);
  }
  return null;
}

const from = ({ bytes }: Stored, start: number): ByteRange => ({ start, end: bytes - 1 });

async function read({ key, bytes }: Stored, start: number, length: number): Promise<Buffer> {
  const found = await buffer(await storage().get(key, { start, end: Math.min(start + length, bytes) - 1 }));
  return Buffer.concat([found], length);
}

/** Yields the bytes of a range of the assembled file. */
export async function* readPieces(key: string, pieces: Pieces, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const piece of pieces) {
    const length = lengthOf(piece);
    const first = Math.max(0, start - at);
    const last = Math.min(length, end - at + 1);
    at += length;
    if (first >= last) continue;
    if ('start' in piece) yield* await storage().get(key, { start: piece.start + first, end: piece.start + last - 1 });
    else yield piece.subarray(first, last);
  }
}
