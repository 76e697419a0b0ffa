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

/** Reads bytes of the file for a process that has none of its own. */
export type ReadRange = (start: number, end: number) => Promise<Uint8Array>;

const MAX_TRACKS = 8;
const MAX_SIDE = 8192;
/** Pictures a second. */
const MAX_RATE = 240;
/** Only these: other demuxers could be led to playlists and other files. */
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

/** Demuxes and samples a film or a sound. Called in the process for hostile files. */
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

/** What head and index of a film or a sound say; nothing else of it is read. Called in the process for hostile files. */
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

/** A film must not hold more pictures than anybody needs, however small the file is. */
export async function requireAffordable(video: InputVideoTrack, duration: number): Promise<void> {
  const { packetCount } = await video.computePacketStats();
  const rate = packetCount / duration;
  // a few pictures in next to no time are no flood
  if (rate > MAX_RATE && packetCount > MAX_RATE)
    throw new UnusableMedia(`The video has ${Math.round(rate)} frames a second; at most ${MAX_RATE} are taken.`);
  const [width, height] = [await video.getCodedWidth(), await video.getCodedHeight()];
  if (packetCount * width * height <= MAX_VIDEO_PIXELS) return;
  const most = Math.floor(MAX_VIDEO_PIXELS / width / height);
  throw new UnusableMedia(
    `The video has ${packetCount} frames of ${width} × ${height} pixels; at most ${most} of this size are taken.`,
  );
}

/** The last packet must be there: a file that was cut off lacks it. */
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
