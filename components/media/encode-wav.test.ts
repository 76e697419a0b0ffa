import { expect, test } from 'vitest';
import { encodeWav } from '#components/media/encode-wav';

test('samples become 16-bit PCM and are clipped at full scale', async () => {
  const samples = Float32Array.of(0, 0.5, -0.5, 1, -1, 3, -3);
  const blob = encodeWav([samples], 44_100);
  const bytes = Buffer.from(await blob.arrayBuffer());
  expect(blob.type).toBe('audio/wav');
  expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
  // size of the rest of the file, bytes per second, size of the samples
  expect([4, 28, 40].map(at => bytes.readUInt32LE(at))).toEqual([bytes.length - 8, 88_200, 14]);
  expect(Array.from(samples, (_, index) => bytes.readInt16LE(44 + index * 2))).toEqual([
    0, 16384, -16383, 32767, -32767, 32767, -32767,
  ]);
});

test('the samples of two channels are interleaved', async () => {
  const blob = encodeWav([Float32Array.of(0, 1), Float32Array.of(-1, 0.5)], 8000);
  const bytes = Buffer.from(await blob.arrayBuffer());
  expect([22, 32].map(at => bytes.readUInt16LE(at))).toEqual([2, 4]);
  expect(bytes.readUInt32LE(28)).toBe(32_000);
  expect([0, 1, 2, 3].map(index => bytes.readInt16LE(44 + index * 2))).toEqual([0, -32767, 32767, 16384]);
});
