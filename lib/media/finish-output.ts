import { readFile, stat, writeFile } from 'node:fs/promises';
import { registerMediabunnyServer } from '@mediabunny/server';
import {
  ADTS,
  Conversion,
  FilePathSource,
  FilePathTarget,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OGG,
  Output,
  QTFF,
  WAVE,
  WEBM,
  type ConversionOptions,
  type InputAudioTrack,
  type InputVideoTrack,
} from 'mediabunny';
import { MP3_BIT_RATES } from '#lib/media/encode-audio';
import { barePicture, tagPicture } from '#lib/media/encode-image';
import type { MediaFacts } from '#lib/media/media-facts';
import { tagsToJson, tagsToText, tagsToTitle, type MediaTags } from '#lib/media/media-tags';
import type { MediaKind } from '#lib/media-kind';
import { probeAv } from '#lib/media/probe-av';
import { damaged, decodeWhole, openImage, readImage } from '#lib/media/probe-image';
import { UnusableMedia } from '#lib/media/unusable-media';

/** Longer films are written with their index at the end: in front it is held in memory with everything else. */
const IN_MEMORY_BYTES = 250_000_000;
/** Baseline, Main and High: what every browser plays. */
const PLAYABLE = /^avc1\.(42|4d|58|64)/i;

/**
 * Writes what an engine made in the form in which outputs are stored: PNG, MP4 (H.264, AAC) or MP3, with our tags and none of
 * its own. Pictures and sound stay as they are where they fit. Called in the process for hostile files.
 */
export async function finishOutput(path: string, to: string, kind: MediaKind, tags: MediaTags): Promise<MediaFacts> {
  if (kind === 'image') return finishPicture(path, to, tags);
  await convert(path, to, kind, tags);
  return probeAv(to, kind === 'video' ? 'video/mp4' : 'audio/mpeg');
}

async function finishPicture(path: string, to: string, tags: MediaTags): Promise<MediaFacts> {
  try {
    const png = (await isPlainPng(path)) ? await keepPixels(path) : await encodeAnew(path);
    await writeFile(to, tagPicture(png, tags));
    return await readImage(to, 'image/png');
  } catch (cause) {
    throw damaged(cause);
  }
}

/** Whether its pixels are those that encoding it anew would write. */
async function isPlainPng(path: string): Promise<boolean> {
  const found = await openImage(path).metadata();
  const { format, space, depth, isPalette, isProgressive, icc, orientation = 1 } = found;
  const isPlain = format === 'png' && space === 'srgb' && depth === 'uchar';
  return isPlain && !isPalette && !isProgressive && !icc && orientation === 1;
}

async function keepPixels(path: string): Promise<Buffer> {
  // decoded to its last line, for nobody else may
  await decodeWhole(path);
  return barePicture(await readFile(path));
}

const encodeAnew = (path: string): Promise<Buffer> =>
  openImage(path).autoOrient().toColourspace('srgb').png({ compressionLevel: 6 }).toBuffer();

async function convert(path: string, to: string, kind: 'video' | 'audio', tags: MediaTags): Promise<void> {
  registerMediabunnyServer();
  const formats = [MP4, QTFF, WEBM, MATROSKA, MP3, WAVE, FLAC, OGG, ADTS];
  using input = new Input({ source: new FilePathSource(path), formats });
  const isShort = (await stat(path)).size < IN_MEMORY_BYTES;
  const format = kind === 'video' ? new Mp4OutputFormat({ fastStart: isShort && 'in-memory' }) : new Mp3OutputFormat();
  const output = new Output({ format, target: new FilePathTarget(to) });
  const title = tagsToTitle(tags);
  const comment = tagsToJson(tags);
  try {
    const conversion = await Conversion.init({
      input,
      output,
      tracks: 'primary',
      ...TRACKS[kind],
      tags: kind === 'video' ? { title, description: tagsToText(tags), comment } : { title, comment },
      showWarnings: false,
    });
    if (!conversion.utilizedTracks.some(track => track.type === kind))
      throw new UnusableMedia(`The file has no ${kind}.`);
    await conversion.execute();
  } catch (cause) {
    await output.cancel();
    if (cause instanceof UnusableMedia) throw cause;
    throw new UnusableMedia(`The file is no ${kind} that can be read to its end.`, { cause });
  }
}

const TRACKS: Record<'video' | 'audio', Pick<ConversionOptions, 'video' | 'audio'>> = {
  video: {
    video: async (track: InputVideoTrack) => ({
      codec: 'avc',
      forceTranscode: !PLAYABLE.test((await track.getCodecParameterString()) ?? ''),
    }),
    audio: { codec: 'aac' },
  },
  audio: {
    video: { discard: true },
    audio: async (track: InputAudioTrack) => {
      const rate = await track.getSampleRate();
      return {
        codec: 'mp3',
        bitrate: MP3_BIT_RATES[rate] ?? 160_000,
        ...(!MP3_BIT_RATES[rate] && { sampleRate: 48_000 }),
      };
    },
  },
};
