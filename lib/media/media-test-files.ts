import { registerMediabunnyServer } from '@mediabunny/server';
import {
  AudioSample,
  AudioSampleSource,
  BufferTarget,
  MovOutputFormat,
  Mp3OutputFormat,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  VideoSample,
  VideoSampleSource,
  WebMOutputFormat,
} from 'mediabunny';
import sharp, { type Sharp } from 'sharp';

/** Returns a data URL that leaves the type to the bytes. */
export const dataUrl = (bytes: Buffer): string => `data:application/octet-stream;base64,${bytes.toString('base64')}`;

/** Returns a tone as 16-bit mono WAV. */
export function makeWav(seconds: number, { rate = 44_100, hertz = 997, level = 0.1 } = {}): Buffer {
  const samples = Math.round(seconds * rate);
  const wav = Buffer.alloc(44 + samples * 2);
  wav.write('RIFF');
  wav.writeUInt32LE(36 + samples * 2, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(samples * 2, 40);
  for (let i = 0; i < samples; i++) {
    wav.writeInt16LE(Math.round(Math.sin((i * 2 * Math.PI * hertz) / rate) * level * 32_767), 44 + i * 2);
  }
  return wav;
}

/** Returns an image with so much detail that it does not compress to a tiny file. */
export function makeImage(width: number, height: number): Sharp {
  const data = Buffer.alloc(width * height * 3);
  for (let i = 0; i < data.length; i++) data[i] = (i * 2_654_435_761) >>> 24;
  return sharp(data, { raw: { width, height, channels: 3 } });
}

const FORMATS: Record<
  string,
  { format: (indexLast: boolean) => OutputFormat; video: 'avc' | 'vp8'; audio: 'aac' | 'opus' | 'mp3' }
> = {
  mp4: {
    format: indexLast => new Mp4OutputFormat({ fastStart: indexLast ? false : 'in-memory' }),
    video: 'avc',
    audio: 'aac',
  },
  mov: { format: () => new MovOutputFormat(), video: 'avc', audio: 'aac' },
  webm: { format: () => new WebMOutputFormat(), video: 'vp8', audio: 'opus' },
  mp3: { format: () => new Mp3OutputFormat(), video: 'avc', audio: 'mp3' },
};

/** Returns a video or audio file, one second long by default. */
export async function makeAv(
  container: 'mp4' | 'mov' | 'webm' | 'mp3',
  { videos = 1, sounds = 1, width = 64, height = 48, seconds = 1, indexLast = false } = {},
): Promise<Buffer> {
  registerMediabunnyServer();
  const { format, video, audio } = FORMATS[container]!;
  const target = new BufferTarget();
  const output = new Output({ format: format(indexLast), target });
  const films = Array.from({ length: videos }, () => new VideoSampleSource({ codec: video, bitrate: 200_000 }));
  const tracks = Array.from({ length: sounds }, () => new AudioSampleSource({ codec: audio, bitrate: 128_000 }));
  for (const film of films) output.addVideoTrack(film, { frameRate: 10 });
  for (const track of tracks) output.addAudioTrack(track);
  await output.start();
  for (let n = 0; n < seconds * 10; n++) {
    for (const film of films) {
      const data = new Uint8Array(width * height * 4).fill((n * 20) % 256);
      const frame = new VideoSample(data, {
        format: 'RGBA',
        codedWidth: width,
        codedHeight: height,
        timestamp: n / 10,
        duration: 0.1,
      });
      await film.add(frame);
      frame.close();
    }
    for (const track of tracks) {
      const data = new Float32Array(4800).map((_, i) => Math.sin(i / 10) * 0.2);
      const sample = new AudioSample({
        data,
        format: 'f32',
        numberOfChannels: 1,
        sampleRate: 48_000,
        timestamp: n / 10,
      });
      await track.add(sample);
      sample.close();
    }
  }
  await output.finalize();
  return Buffer.from(target.buffer!);
}
