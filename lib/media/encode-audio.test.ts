import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeAudio } from '#lib/media/decode-audio';
import { MP3_BIT_RATES, encodeAudio } from '#lib/media/encode-audio';
import { sniffType } from '#lib/media/sniff';

const tags = {
  architecture: 'seed_audio',
  modelId: 'seed-audio-1.0',
  prompt: 'Möwen "über" 海',
  seed: 7,
  settings: { duration: '5' },
};
let dir: string;
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'encode-audio-'))));
afterAll(() => rm(dir, { recursive: true }));

/** Returns a sine tone. */
function tone(seconds: number, sampleRate: number) {
  const left = Float32Array.from({ length: seconds * sampleRate }, (_, i) => 0.3 * Math.sin(i * 0.06));
  return { left, right: left, sampleRate };
}

for (const sampleRate of Object.keys(MP3_BIT_RATES).map(Number)) {
  for (const seconds of [5, 30, 120]) {
    test(`${seconds} s of audio at ${sampleRate} Hz decode to the exact number of samples`, async () => {
      const path = join(dir, `${seconds}-${sampleRate}.mp3`);
      const sound = tone(seconds, sampleRate);
      encodeAudio(path, sound, tags);
      const decoded = await decodeAudio(path, sampleRate, seconds + 5);
      expect(decoded.left.length).toBe(seconds * sampleRate);
      // the samples are not shifted: the encoder's delay is removed at the start
      const middle = Math.floor(sound.left.length / 2);
      for (let i = middle; i < middle + 200; i++) expect(decoded.left[i]).toBeCloseTo(sound.left[i]!, 1);

      using input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
      // a reader that ignores delay and padding counts two or three more frames
      const frame = (sampleRate > 24000 ? 1152 : 576) / sampleRate;
      const duration = await input.computeDuration();
      expect(duration).toBeGreaterThanOrEqual(seconds);
      expect(duration).toBeLessThan(seconds + 3 * frame);
      const track = await input.getPrimaryAudioTrack();
      expect(await track?.getCodec()).toBe('mp3');
      expect(await track?.getSampleRate()).toBe(sampleRate);
      expect(await track?.getNumberOfChannels()).toBe(2);
    });
  }
}

test('the tags contain the prompt, the model, the seed and the settings', async () => {
  const path = join(dir, 'tags.mp3');
  encodeAudio(path, tone(1, 44100), tags);
  using input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  const { title, raw } = await input.getMetadataTags();
  expect(title).toBe('Möwen "über" 海');
  const { comment } = raw!.TXXX as unknown as { comment: string };
  const { prompt, seed, settings } = tags;
  expect(JSON.parse(comment)).toMatchObject({ model_id: 'seed-audio-1.0', prompt, seed, settings });
});

test('audio whose prompt contains markup is still detected as an MP3', async () => {
  const path = join(dir, 'page.mp3');
  encodeAudio(path, tone(1, 44100), { ...tags, prompt: 'the sound of <html>' });
  expect(sniffType(await readFile(path))).toBe('audio/mpeg');
});

test('a sample rate that MP3 outputs do not have is refused', () => {
  expect(() => encodeAudio(join(dir, 'no.mp3'), tone(1, 22000), tags)).toThrow('No MP3 at 22000 Hz');
});
