import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';

/** Returns properties of a video or audio file, read by a different library than the one that wrote it. */
export async function inspect(bytes: Buffer) {
  using input = new Input({ source: new BufferSource(new Uint8Array(bytes)), formats: ALL_FORMATS });
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  return {
    mimeType: await input.getMimeType(),
    duration: await input.computeDuration(),
    video: video && {
      codec: await video.getCodec(),
      width: await video.getDisplayWidth(),
      height: await video.getDisplayHeight(),
      duration: await video.computeDuration(),
    },
    audio: audio && {
      codec: await audio.getCodec(),
      sampleRate: await audio.getSampleRate(),
      duration: await audio.computeDuration(),
    },
  };
}
