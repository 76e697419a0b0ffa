import { encodeWav } from '#components/media/encode-wav';

/** The part of a sound between two moments (seconds) as a WAV. */
export async function cutSound(sound: Blob, start: number, end: number): Promise<Blob> {
  const decoded = await new OfflineAudioContext(1, 1, 44_100).decodeAudioData(await sound.arrayBuffer());
  const { sampleRate, numberOfChannels } = decoded;
  const channels = Array.from({ length: numberOfChannels }, (_, channel) =>
    decoded.getChannelData(channel).subarray(Math.floor(start * sampleRate), Math.ceil(end * sampleRate)),
  );
  return encodeWav(channels, sampleRate);
}

export const soundToWav = (sound: Blob): Promise<Blob> => cutSound(sound, 0, Infinity);
