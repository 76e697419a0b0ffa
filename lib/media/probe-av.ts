import { registerMediabunnyServer } from '@mediabunny/server';
import {
  AudioSampleSink,
  EncodedPacketSink,
  FilePathSource,
  Input,
  MP3,
  MP4,
  QTFF,
  VideoSampleSink,
  WAVE,
  WEBM,
} from 'mediabunny';
import type { InputFormat, InputTrack } from 'mediabunny';
import { AV_LOG_QUIET } from 'node-av/constants';
import { Log } from 'node-av/lib';
import type { MediaFacts } from '#lib/media/media-facts';
import { MAX_SIDE } from '#lib/media/probe-image';
import { UnusableMedia } from '#lib/media/unusable-media';
import type { MediaType } from '#lib/storage/media-types';

const MAX_TRACKS = 8;
/** Only these: other demuxers could be led to playlists and other files. */
const FORMATS: Partial<Record<MediaType, InputFormat>> = {
  'video/mp4': MP4,
  'video/quicktime': QTFF,
  'video/webm': WEBM,
  'audio/mpeg': MP3,
  'audio/wav': WAVE,
};

/** Demuxes and samples a film or a sound. Called in the process for hostile files. */
export async function probeAv(path: string, contentType: MediaType): Promise<MediaFacts> {
  Log.setLevel(AV_LOG_QUIET);
  registerMediabunnyServer();
  using input = new Input({ source: new FilePathSource(path), formats: [FORMATS[contentType]!] });
  try {
    return await readFacts(input, contentType);
  } catch (cause) {
    if (cause instanceof UnusableMedia) throw cause;
    throw new UnusableMedia(`The file looks like ${contentType} but cannot be decoded; it is damaged or cut off.`, {
      cause,
    });
  }
}

async function readFacts(input: Input, contentType: MediaType): Promise<MediaFacts> {
  const tracks = await input.getTracks();
  if (tracks.length > MAX_TRACKS)
    throw new UnusableMedia(`The file has ${tracks.length} tracks; at most ${MAX_TRACKS} are taken.`);
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (contentType.startsWith('video/') && !video) throw new UnusableMedia('The file has no pictures.');
  if (contentType.startsWith('audio/') && !audio) throw new UnusableMedia('The file has no sound.');

  const width = video ? await video.getDisplayWidth() : null;
  const height = video ? await video.getDisplayHeight() : null;
  const side = Math.max(
    width ?? 1,
    height ?? 1,
    video ? await video.getCodedWidth() : 1,
    video ? await video.getCodedHeight() : 1,
  );
  if (side > MAX_SIDE)
    throw new UnusableMedia(`The video is ${width} × ${height} pixels; a side may have at most ${MAX_SIDE}.`);

  const used = [video, audio].filter(track => track !== null);
  const duration = await input.computeDuration(used);
  if (!(duration > 0) || !Number.isFinite(duration)) throw new UnusableMedia('The file has no length.');
  for (const track of used) await sampleTrack(track);
  return {
    contentType,
    width,
    height,
    duration: Math.round(duration * 1000) / 1000,
    hasAudio: audio !== null,
    hasMetadata: false,
  };
}

/** The first sample must decode and the last packet be there: a file that was cut off lacks it. */
async function sampleTrack(track: InputTrack): Promise<void> {
  if (!(await track.canDecode()))
    throw new UnusableMedia(`The codec ${(await track.getCodec()) ?? 'of a track'} cannot be decoded here.`);
  const last = await new EncodedPacketSink(track).getPacket(Number.MAX_SAFE_INTEGER);
  if (!last?.byteLength) throw new UnusableMedia('The file is cut off.');
  const samples = track.isVideoTrack()
    ? new VideoSampleSink(track, { hardwareAcceleration: 'prefer-software' }).samples()
    : track.isAudioTrack() && new AudioSampleSink(track).samples();
  if (!samples) return;
  const { value: first } = await samples.next();
  await samples.return();
  if (!first) throw new UnusableMedia('The file holds nothing that can be decoded.');
  first.close();
}
