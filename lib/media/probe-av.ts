import {
  CustomSource,
  EncodedPacketSink,
  FilePathSource,
  Input,
  MP3,
  MP4,
  QTFF,
  WAVE,
  WEBM,
  type InputFormat,
  type InputTrack,
  type InputVideoTrack,
  type Source,
} from 'mediabunny';
import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { AvInput, MAX_VIDEO_PIXELS } from '#lib/media/av-input';
import type { MediaFacts } from '#lib/media/media-facts';
import { UnusableMedia } from '#lib/media/unusable-media';
import type { MediaType } from '#lib/storage/media-types';

/** Reads the bytes of a file from `start` up to, but not including, `end`. */
export type ReadRange = (start: number, end: number) => Promise<Uint8Array>;

const MAX_TRACKS = 8;
const MAX_SIDE = 8192;
/** Maximum frame rate, in frames per second. */
const MAX_RATE = 240;
/** The only demuxers used: others could be led to playlists and other files. */
const FORMATS: Partial<Record<MediaType, InputFormat>> = {
  'video/mp4': MP4,
  'video/quicktime': QTFF,
  'video/webm': WEBM,
  'audio/mpeg': MP3,
  'audio/wav': WAVE,
};

interface Tracks {
  facts: MediaFacts;
  video: InputVideoTrack | null;
  audio: InputTrack | null;
}

/** Reads the facts of a video or audio file; checks that it is whole and decodable. Called in a decoder process. */
export const probeAv = (path: string, contentType: MediaType): Promise<MediaFacts> =>
  withTracks(new FilePathSource(path), contentType, async ({ facts, video, audio }) => {
    if (video) await requireAffordable(video, facts.duration!);
    for (const track of [video, audio]) {
      if (!track) continue;
      await requireWhole(track);
      decodeFirst(path, track);
    }
    return facts;
  });

/** Reads the facts in the header and index of a video or audio file, and nothing else. Called in a decoder process. */
export const measureAv = (bytes: number, read: ReadRange, contentType: MediaType): Promise<MediaFacts> =>
  withTracks(
    new CustomSource({ getSize: () => bytes, read, prefetchProfile: 'network' }),
    contentType,
    async ({ facts }) => facts,
  );

async function withTracks<T>(source: Source, contentType: MediaType, use: (tracks: Tracks) => Promise<T>): Promise<T> {
  using input = new Input({ source, formats: [FORMATS[contentType]!] });
  try {
    return await use(await readTracks(input, contentType));
  } catch (cause) {
    if (cause instanceof UnusableMedia) throw cause;
    throw new UnusableMedia(`The file looks like ${contentType} but cannot be decoded; it is damaged or cut off.`, {
      cause,
    });
  }
}

async function readTracks(input: Input, contentType: MediaType): Promise<Tracks> {
  const tracks = await input.getTracks();
  if (tracks.length > MAX_TRACKS)
    throw new UnusableMedia(`The file has ${tracks.length} tracks; at most ${MAX_TRACKS} are taken.`);
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (contentType.startsWith('video/') && !video) throw new UnusableMedia('The file has no video track.');
  if (contentType.startsWith('audio/') && !audio) throw new UnusableMedia('The file has no audio track.');

  const width = video ? await video.getDisplayWidth() : null;
  const height = video ? await video.getDisplayHeight() : null;
  const coded = video ? [await video.getCodedWidth(), await video.getCodedHeight()] : [];
  if (Math.max(width ?? 1, height ?? 1, ...coded) > MAX_SIDE)
    throw new UnusableMedia(`The video is ${width} × ${height} pixels; a side may have at most ${MAX_SIDE}.`);

  const seconds = await input.computeDuration([video, audio].filter(track => track !== null));
  if (!(seconds > 0) || !Number.isFinite(seconds)) throw new UnusableMedia('The file has no length.');
  const duration = Math.round(seconds * 1000) / 1000;
  const facts = { contentType, width, height, duration, hasAudio: audio !== null, isRaw: false };
  return { facts, video, audio };
}

/** Throws `UnusableMedia` for a video with too many frames, which even a small file may hold. */
export async function requireAffordable(video: InputVideoTrack, duration: number): Promise<void> {
  const { packetCount } = await video.computePacketStats();
  const rate = packetCount / duration;
  // a very short video may have a high rate, but it has few frames
  if (rate > MAX_RATE && packetCount > MAX_RATE)
    throw new UnusableMedia(`The video has ${Math.round(rate)} frames a second; at most ${MAX_RATE} are taken.`);
  const [width, height] = [await video.getCodedWidth(), await video.getCodedHeight()];
  if (packetCount * width * height <= MAX_VIDEO_PIXELS) return;
  const most = Math.floor(MAX_VIDEO_PIXELS / width / height);
  throw new UnusableMedia(
    `The video has ${packetCount} frames of ${width} × ${height} pixels; at most ${most} of this size are taken.`,
  );
}

/** Throws `UnusableMedia` when the last packet is missing, as in a truncated file. */
async function requireWhole(track: InputTrack): Promise<void> {
  const last = await new EncodedPacketSink(track).getPacket(Number.MAX_SAFE_INTEGER);
  if (!last?.byteLength) throw new UnusableMedia('The file is cut off.');
}

function decodeFirst(path: string, track: InputTrack): void {
  using input = new AvInput(path, track.isVideoTrack() ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO);
  const { value: first } = input.frames().next();
  if (!first) throw new UnusableMedia('The file holds nothing that can be decoded.');
  first.free();
}
