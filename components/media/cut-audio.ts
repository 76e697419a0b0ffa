import { ALL_FORMATS, BlobSource, Input } from 'mediabunny';
import { encodeWav } from '#components/media/encode-wav';

/** Returns the part of audio between two times in seconds, as a WAV file at the original sample rate. */
export async function cutAudio(audio: Blob, start: number, end: number): Promise<Blob> {
  const track = await new Input({ source: new BlobSource(audio), formats: ALL_FORMATS }).getPrimaryAudioTrack();
  // `decodeAudioData` resamples to the rate of the context
  const context = new OfflineAudioContext(1, 1, (await track?.getSampleRate()) ?? 48_000);
  const decoded = await context.decodeAudioData(await audio.arrayBuffer());
  const { sampleRate, numberOfChannels } = decoded;
  const channels = Array.from({ length: numberOfChannels }, (_, channel) =>
    decoded.getChannelData(channel).subarray(Math.floor(start * sampleRate), Math.ceil(end * sampleRate)),
  );
  return encodeWav(channels, sampleRate);
}

export const audioToWav = (audio: Blob): Promise<Blob> => cutAudio(audio, 0, Infinity);
