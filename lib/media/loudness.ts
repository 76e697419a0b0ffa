/** Coefficients of one filter stage of ITU-R BS.1770-4, derived from its analogue prototype for a sample rate. */
interface Biquad {
  b: [number, number, number];
  a: [number, number];
}

function kWeighting(rate: number): [Biquad, Biquad] {
  const shelf = { hertz: 1681.974450955533, gain: 3.999843853973347, q: 0.7071752369554196 };
  const pass = { hertz: 38.13547087602444, q: 0.5003270373238773 };
  const k1 = Math.tan((Math.PI * shelf.hertz) / rate);
  const high = 10 ** (shelf.gain / 20);
  const band = high ** 0.4996667741545416;
  const d1 = 1 + k1 / shelf.q + k1 * k1;
  const k2 = Math.tan((Math.PI * pass.hertz) / rate);
  const d2 = 1 + k2 / pass.q + k2 * k2;
  return [
    {
      b: [
        (high + (band * k1) / shelf.q + k1 * k1) / d1,
        (2 * (k1 * k1 - high)) / d1,
        (high - (band * k1) / shelf.q + k1 * k1) / d1,
      ],
      a: [(2 * (k1 * k1 - 1)) / d1, (1 - k1 / shelf.q + k1 * k1) / d1],
    },
    { b: [1, -2, 1], a: [(2 * (k2 * k2 - 1)) / d2, (1 - k2 / pass.q + k2 * k2) / d2] },
  ];
}

function filter(sound: Float32Array, { b, a }: Biquad): Float32Array {
  const out = new Float32Array(sound.length);
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  for (let i = 0; i < sound.length; i++) {
    const x = sound[i]!;
    const y = b[0] * x + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    out[i] = y;
  }
  return out;
}

const toLufs = (power: number) => -0.691 + 10 * Math.log10(power);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the integrated loudness of one channel in LUFS (ITU-R BS.1770-4, with both gates); -Infinity for silence. */
export function measureLoudness(sound: Float32Array, rate: number): number {
  const weighted = kWeighting(rate).reduce(filter, sound);
  // audio shorter than a block counts as one block
  const block = Math.min(Math.round(rate * 0.4), weighted.length);
  const step = Math.max(1, Math.round(block / 4));
  const powers: number[] = [];
  for (let at = 0; at + block <= weighted.length && block > 0; at += step) {
    let sum = 0;
    for (let i = at; i < at + block; i++) sum += weighted[i]! * weighted[i]!;
    powers.push(sum / block);
  }
  const audible = powers.filter(power => toLufs(power) > -70);
  if (!audible.length) return -Infinity;
  const gate = toLufs(mean(audible)) - 10;
  return toLufs(mean(audible.filter(power => toLufs(power) > gate)));
}
