import { expect, test } from 'vitest';
import { measureLoudness } from '#lib/media/loudness';

const tone = (rate: number, seconds: number, level: number, hertz = 997) =>
  Float32Array.from({ length: rate * seconds }, (_, i) => Math.sin((i * 2 * Math.PI * hertz) / rate) * level);

// ITU-R BS.1770: a full-scale sine of 997 Hz in one channel measures -3.01 LKFS
test.each([44_100, 48_000, 22_050])('a full-scale tone at %i Hz measures -3.01 LKFS', rate => {
  expect(measureLoudness(tone(rate, 5, 1), rate)).toBeCloseTo(-3.01, 1);
});

test('loudness follows the level', () => {
  expect(measureLoudness(tone(48_000, 5, 0.1), 48_000)).toBeCloseTo(-23.01, 1);
});

test('low frequencies count less', () => {
  expect(measureLoudness(tone(48_000, 5, 1, 40), 48_000)).toBeLessThan(-5);
});

test('pauses do not count', () => {
  const speech = tone(48_000, 10, 0.1);
  speech.fill(0, 48_000 * 3, 48_000 * 9);
  expect(measureLoudness(speech, 48_000)).toBeCloseTo(-23, 0);
});

test('silence and empty input have no loudness', () => {
  expect(measureLoudness(new Float32Array(48_000), 48_000)).toBe(-Infinity);
  expect(measureLoudness(new Float32Array(0), 48_000)).toBe(-Infinity);
});
