import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { decodeAudio } from '#lib/media/decode-audio';
import { openSourceVideo } from '#lib/media/open-source-video';
import { openImage } from '#lib/media/probe-image';
import { remakeVideo } from '#lib/media/remake-video';
import type { MediaKind } from '#lib/media-kind';

/** A smaller form of a file, written to disk. */
interface Rendition {
  path: string;
  contentType: 'image/webp' | 'video/mp4';
  width: number;
  height: number;
}

/** Renditions of a file: images, the smallest first, and a silent clip of a video; for audio, only its peaks. */
export interface Renditions {
  files: Rendition[];
  peaks?: number[];
}

/** Longer sides of the images, in pixels: for a tile, for a card on a high-density screen, for a full screen. */
const SIDES = [480, 1024, 2048];
const QUALITY = { quality: 80, effort: 2 } as const;
const PEAKS = 64;
/** Time of the poster. Many videos fade in from black, so their first frame is not used. */
const POSTER_SECONDS = 0.5;
const CLIP = { seconds: 4, fps: 12, maxSide: 480 };
const RATE = 8_000;
const MOST_SECONDS = 600;

/** Writes the renditions of a file into `folder`. Called in a decoder process. */
export async function makeRenditions(path: string, kind: MediaKind, folder: string): Promise<Renditions> {
  switch (kind) {
    case 'audio':
      return { files: [], peaks: await readPeaks(path) };
    case 'image':
      return { files: await writePictures(openImage(path).autoOrient(), folder) };
    case 'video':
      return { files: [...(await writePictures(openPoster(path), folder)), await writeClip(path, folder)] };
  }
}

/** Decodes the image once, derives each size from the next larger one, and encodes all of them concurrently. */
async function writePictures(picture: Sharp, folder: string): Promise<Rendition[]> {
  const largest = SIDES.at(-1)!;
  let smallest = await pixelsOf(picture.flatten({ background: '#808080' }), largest);
  const longest = Math.max(smallest.raw.width, smallest.raw.height);
  const forms = [];
  for (const side of SIDES.filter((_, at) => at === 0 || SIDES[at - 1]! < longest).toReversed()) {
    if (longest > side) smallest = await pixelsOf(sharp(smallest.data, { raw: smallest.raw }), side);
    forms.unshift({ ...smallest, path: join(folder, `${side}.webp`) });
  }
  return Promise.all(
    forms.map(async ({ path, data, raw }) => {
      await sharp(data, { raw }).webp(QUALITY).toFile(path);
      return { path, contentType: 'image/webp' as const, width: raw.width, height: raw.height };
    }),
  );
}

async function pixelsOf(picture: Sharp, side: number) {
  const fitting = picture.resize(side, side, { fit: 'inside', withoutEnlargement: true });
  const { data, info } = await fitting.raw().toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: info.channels } };
}

function openPoster(path: string): Sharp {
  using video = openSourceVideo(path, SIDES.at(-1));
  const { data, width, height } = video.frameAt(Math.min(POSTER_SECONDS, video.duration / 2));
  return sharp(data, { raw: { width, height, channels: 4 } });
}

async function writeClip(path: string, folder: string): Promise<Rendition> {
  const [draft, file] = [join(folder, 'draft.mp4'), join(folder, 'clip.mp4')];
  const { width, height } = await remakeVideo(path, draft, CLIP);
  await rename(draft, file);
  return { path: file, contentType: 'video/mp4', width, height };
}

/** Returns the loudest sample in each of 64 equal parts, scaled so that the loudest of all is 100. */
async function readPeaks(path: string): Promise<number[]> {
  const { left, right } = await decodeAudio(path, RATE, MOST_SECONDS);
  const size = left.length / PEAKS;
  const peaks = Array.from({ length: PEAKS }, (_, part) => {
    let peak = 0;
    for (let at = Math.floor(part * size); at < (part + 1) * size; at++) {
      peak = Math.max(peak, Math.abs(left[at] ?? 0), Math.abs(right[at] ?? 0));
    }
    return peak;
  });
  const loudest = Math.max(...peaks) || 1;
  return peaks.map(peak => Math.round((peak / loudest) * 100));
}
