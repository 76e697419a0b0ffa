import { mix, lighten, ramp } from '#preview-engine/colour';
import type { Raster } from '#preview-engine/raster';
import type { Stage } from '#preview-engine/stage';

export interface SourceFrame {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Returns a function that paints frames of a given video in the colours of the scene, mapped by brightness. */
export function createRestyler(
  stage: Stage,
  width: number,
  height: number,
): (frame: Raster, source: SourceFrame) => void {
  const { palette, reading } = stage;
  const tones = ramp(
    [
      palette.near,
      mix(palette.far, palette.accent, 0.2),
      mix(palette.haze, palette.accent, 0.25),
      mix(palette.sky[3]!, palette.light, 0.5),
      lighten(palette.light, 0.35),
    ],
    256,
  );
  const drawn = ['oil', 'watercolour', 'ink', 'neon', 'noir', 'vintage', 'pixel'].some(style =>
    reading.styles.has(style as never),
  );
  const strength = Math.round((drawn ? 0.62 : 0.42) * 256);
  const keep = 256 - strength;
  const steps = reading.styles.has('photo') ? 64 : drawn ? 9 : 14;
  // tones are flattened to steps with soft transitions, for a painted look without hard bands
  const flatten = Uint8Array.from({ length: 256 }, (_, value) => {
    const at = (value / 255) * steps;
    const whole = Math.floor(at);
    const part = at - whole;
    return Math.min(255, ((whole + part * part * (3 - 2 * part)) / steps) * 255);
  });
  let columns = new Int32Array(0);
  let shape = '';
  return (frame, source) => {
    const scale = Math.max(width / source.width, height / source.height);
    const left = (source.width - width / scale) / 2;
    const top = (source.height - height / scale) / 2;
    const key = `${source.width}x${source.height}`;
    if (key !== shape) {
      shape = key;
      columns = Int32Array.from(
        { length: width },
        (_, x) => Math.max(0, Math.min(source.width - 1, Math.floor(left + (x + 0.5) / scale))) * 4,
      );
    }
    const { data } = source;
    for (let y = 0; y < height; y++) {
      const row = Math.max(0, Math.min(source.height - 1, Math.floor(top + (y + 0.5) / scale))) * source.width * 4;
      for (let x = 0, at = y * width; x < width; x++, at++) {
        const p = row + columns[x]!;
        const r = flatten[data[p]!]!;
        const g = flatten[data[p + 1]!]!;
        const b = flatten[data[p + 2]!]!;
        const tone = ((r * 77 + g * 151 + b * 28) >> 8) * 3;
        frame.pixels[at] =
          (0xff000000 |
            (((b * keep + tones[tone + 2]! * strength) >> 8) << 16) |
            (((g * keep + tones[tone + 1]! * strength) >> 8) << 8) |
            ((r * keep + tones[tone]! * strength) >> 8)) >>>
          0;
      }
    }
  };
}
