import { encodeWav } from '#components/media/encode-wav';

/** The part of audio between two moments (seconds) as a WAV. */
export async function cutAudio(audio: Blob, start: number, end: number): Promise<Blob> {
  const decoded = await new OfflineAudioContext(1, 1, 44_100).decodeAudioData(await audio.arrayBuffer());
  const { sampleRate, numberOfChannels } = decoded;
  const channels = Array.from({ length: numberOfChannels }, (_, channel) =>
    decoded.getChannelData(channel).subarray(Math.floor(start * sampleRate), Math.ceil(end * sampleRate)),
  );
  return encodeWav(channels, sampleRate);
}

export const audioToWav = (audio: Blob): Promise<Blob> => cutAudio(audio, 0, Infinity);
