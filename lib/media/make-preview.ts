import sharp from 'sharp';
import { decodeAudio } from '#lib/media/decode-audio';
import { openSourceVideo } from '#lib/media/open-source-video';
import { openImage } from '#lib/media/probe-image';
import { MEDIA_TYPES, type MediaType } from '#lib/storage/media-types';

/** What stands for a file where many are shown: a small JPEG, or the course of a sound. */
export type Preview = { width: number; height: number } | { peaks: number[] };

/** Enough for a tile on a dense screen. */
const SIDE = 480;
const PEAKS = 64;
/** Films often begin in black. */
const POSTER_SECONDS = 0.5;
const RATE = 8_000;
const MOST_SECONDS = 600;

/** Writes the small picture at `to`; a sound has none, its loudness is given instead. Called in the process for hostile files. */
export async function makePreview(path: string, type: MediaType, to: string): Promise<Preview> {
  const { kind } = MEDIA_TYPES[type];
  if (kind === 'audio') return { peaks: await readPeaks(path) };
  const picture = kind === 'image' ? openImage(path).autoOrient() : openPoster(path);
  const { width, height } = await picture
    .flatten({ background: '#808080' })
    .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 80, mozjpeg: true })
    .toFile(to);
  return { width, height };
}

function openPoster(path: string) {
  using video = openSourceVideo(path, SIDE * 2);
  const { data, width, height } = video.frameAt(Math.min(POSTER_SECONDS, video.duration / 2));
  return sharp(data, { raw: { width, height, channels: 4 } });
}

/** The loudest sample in each of 64 equal parts, 0 to 100, the loudest of all being 100. */
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
