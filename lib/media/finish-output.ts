import { readFile, rename, stat, writeFile } from 'node:fs/promises';
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
import { decodeAudio } from '#lib/media/decode-audio';
import { encodeAudio, MP3_BIT_RATES } from '#lib/media/encode-audio';
import { barePicture, tagPicture } from '#lib/media/encode-image';
import type { MediaFacts } from '#lib/media/media-facts';
import type { AskedSound, MediaTask } from '#lib/media/media-task';
import { tagsToJson, tagsToText, tagsToTitle, type MediaTags } from '#lib/media/media-tags';
import { probeAv, requireAffordable } from '#lib/media/probe-av';
import { decodeWhole, openImage, readImage, refusalOf } from '#lib/media/probe-image';
import { UnusableMedia } from '#lib/media/unusable-media';

/** Larger videos are written with their index at the end: to put it in front, the whole file is held in memory. */
const IN_MEMORY_BYTES = 250_000_000;
/** Tolerance of a duration: MP3 encoders pad the first and last frame. */
const PADDING_SECONDS = 0.1;
/** Codec strings of H.264 that browsers play, and that is kept as it is: Baseline, Main and High profile. */
const PLAYABLE = /^avc1\.(42|4d|64)/i;

type FinishTask = Omit<Extract<MediaTask, { do: 'finish' }>, 'do'>;

/**
 * Converts the output of an engine to the stored format: PNG, MP4 (H.264, AAC) or MP3, with Pomona's tags only. Copies
 * pixels and tracks where their format allows it. Cuts or pads audio to `sound.seconds`, unless that is 0. Called in a
 * decoder process.
 */
export async function finishOutput({ path, to, kind, tags, sound }: FinishTask): Promise<MediaFacts> {
  if (kind === 'image') return finishPicture(path, to, tags);
  await convert(path, to, kind, tags, kind === 'audio' ? sound.seconds : 0);
  if (kind === 'video') return probeAv(to, 'video/mp4');
  const facts = await probeAv(to, 'audio/mpeg');
  if (!sound.seconds || Math.abs(facts.duration! - sound.seconds) <= PADDING_SECONDS) return facts;
  const fitted = `${to}.fitted`;
  await fitSound(to, fitted, sound, tags);
  await rename(fitted, to);
  // exact to the sample: the header states the padding of the frames, which does not count
  return { ...facts, duration: sound.seconds };
}

async function finishPicture(path: string, to: string, tags: MediaTags): Promise<MediaFacts> {
  try {
    const png = (await isPlainPng(path)) ? await keepPixels(path) : await encodeAnew(path);
    await writeFile(to, tagPicture(png, tags));
    return await readImage(to, 'image/png');
  } catch (cause) {
    throw refusalOf(cause);
  }
}

/** Whether the file is a PNG whose pixels re-encoding would leave unchanged. */
async function isPlainPng(path: string): Promise<boolean> {
  const found = await openImage(path).metadata();
  const { format, space, depth, isPalette, isProgressive, icc, orientation = 1 } = found;
  const isPlain = format === 'png' && space === 'srgb' && depth === 'uchar';
  return isPlain && !isPalette && !isProgressive && !icc && orientation === 1;
}

async function keepPixels(path: string): Promise<Buffer> {
  // decoded completely in this process, to refuse a damaged file before it is stored
  await decodeWhole(path);
  return barePicture(await readFile(path));
}

const encodeAnew = (path: string): Promise<Buffer> =>
  openImage(path).autoOrient().toColourspace('srgb').png({ compressionLevel: 6 }).toBuffer();

/** Writes a converted audio file again at the requested length: cut, or padded with silence. */
async function fitSound(path: string, to: string, { seconds, sampleRate }: AskedSound, tags: MediaTags): Promise<void> {
  const { left, right } = await decodeAudio(path, sampleRate, seconds);
  // `decodeAudio` returns views of buffers that have the full length; the rest of each is silence
  const whole = (side: Float32Array) => new Float32Array(side.buffer as ArrayBuffer);
  encodeAudio(to, { left: whole(left), right: whole(right), sampleRate }, tags);
}

async function convert(
  path: string,
  to: string,
  kind: 'video' | 'audio',
  tags: MediaTags,
  maxSeconds: number,
): Promise<void> {
  registerMediabunnyServer();
  const formats = [MP4, QTFF, WEBM, MATROSKA, MP3, WAVE, FLAC, OGG, ADTS];
  using input = new Input({ source: new FilePathSource(path), formats });
  const title = tagsToTitle(tags);
  const comment = tagsToJson(tags);
  let output: Output | undefined;
  try {
    // checked before the output exists: FilePathTarget opens its file immediately, but closes it only after a write
    const track = await (kind === 'video' ? input.getPrimaryVideoTrack() : input.getPrimaryAudioTrack());
    if (!track) throw new UnusableMedia(`The file has no ${kind}.`);
    if (track.isVideoTrack()) await requireAffordable(track, await track.computeDuration());
    const isShort = (await stat(path)).size < IN_MEMORY_BYTES;
    const format =
      kind === 'video' ? new Mp4OutputFormat({ fastStart: isShort && 'in-memory' }) : new Mp3OutputFormat();
    output = new Output({ format, target: new FilePathTarget(to) });
    const conversion = await Conversion.init({
      input,
      output,
      tracks: 'primary',
      // an extra second shows that the audio is longer than requested
      ...(maxSeconds > 0 && { trim: { end: maxSeconds + 1 } }),
      ...TRACKS[kind],
      tags: kind === 'video' ? { title, description: tagsToText(tags), comment } : { title, comment },
      showWarnings: false,
    });
    if (!conversion.utilizedTracks.some(track => track.type === kind))
      throw new UnusableMedia(`The file has no ${kind} that can be read.`);
    await conversion.execute();
  } catch (cause) {
    await output?.cancel();
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
