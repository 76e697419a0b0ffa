/** Encodes channels of equal length, with samples between -1 and 1, as a 16-bit WAV file. */
export function encodeWav(channels: readonly Float32Array[], rate: number): Blob {
  const count = channels.length;
  const length = channels[0]?.length ?? 0;
  const view = new DataView(new ArrayBuffer(44 + length * count * 2));
  const word = (at: number, text: string) => [...text].forEach((char, i) => view.setUint8(at + i, char.charCodeAt(0)));
  word(0, 'RIFF');
  view.setUint32(4, view.byteLength - 8, true);
  word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, count, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * count * 2, true);
  view.setUint16(32, count * 2, true);
  view.setUint16(34, 16, true);
  word(36, 'data');
  view.setUint32(40, length * count * 2, true);
  for (const [channel, samples] of channels.entries()) {
    samples.forEach((sample, index) => {
      const held = Math.max(-1, Math.min(1, sample));
      view.setInt16(44 + (index * count + channel) * 2, Math.round(held * 0x7fff), true);
    });
  }
  return new Blob([view], { type: 'audio/wav' });
}
