/** Audio in progress: a dry stereo bus, and a mono bus that feeds the reverb. */
export interface Mix {
  readonly rate: number;
  readonly left: Float32Array;
  readonly right: Float32Array;
  readonly send: Float32Array;
}

export function createMix(seconds: number, rate: number): Mix {
  const length = Math.round(seconds * rate);
  return { rate, left: new Float32Array(length), right: new Float32Array(length), send: new Float32Array(length) };
}

/** Adds a mono sample to the mix. `pan` is -1 to 1; `wet` is its share sent to the reverb. */
export function addSample(mix: Mix, sample: Float32Array, at: number, gain: number, pan = 0, wet = 0.2): void {
  const start = Math.round(at * mix.rate);
  const end = Math.min(mix.left.length, start + sample.length);
  const toLeft = gain * Math.cos((pan + 1) * (Math.PI / 4));
  const toRight = gain * Math.sin((pan + 1) * (Math.PI / 4));
  const toSend = gain * wet;
  for (let i = Math.max(0, start); i < end; i++) {
    const value = sample[i - start]!;
    mix.left[i]! += value * toLeft;
    mix.right[i]! += value * toRight;
    mix.send[i]! += value * toSend;
  }
}

const COMBS = [0.0297, 0.0371, 0.0411, 0.0437];
const ALLPASSES = [0.005, 0.0017];

/** Adds the reverb of a small hall: damped feedback combs, then all-passes, with different delays per channel. */
export function addReverb({ rate, left, right, send }: Mix, amount: number): void {
  for (const [out, spread] of [
    [left, 1],
    [right, 1.07],
  ] as const) {
    const wet = new Float32Array(send.length);
    for (const seconds of COMBS) {
      const line = new Float32Array(Math.round(seconds * spread * rate));
      let at = 0;
      let damped = 0;
      for (let i = 0; i < send.length; i++) {
        const echo = line[at]!;
        damped += (echo - damped) * 0.55;
        line[at] = send[i]! + damped * 0.82 + 1e-20;
        wet[i]! += echo * 0.25;
        if (++at === line.length) at = 0;
      }
    }
    for (const seconds of ALLPASSES) {
      const line = new Float32Array(Math.round(seconds * spread * rate));
      let at = 0;
      for (let i = 0; i < wet.length; i++) {
        const held = line[at]!;
        const value = wet[i]! + held * 0.5;
        line[at] = value;
        wet[i] = held - value * 0.5;
        if (++at === line.length) at = 0;
      }
    }
    for (let i = 0; i < out.length; i++) out[i]! += wet[i]! * amount;
  }
}

/** RMS level of the mix at a gain of 1. */
const TARGET_RMS = 0.1;
const KNEE = 0.75;

/** Scales the mix to its level (`gain` 1 is normal), limits peaks softly below full scale, and fades both ends. */
export function finishMix({ rate, left, right }: Mix, gain: number, fadeIn: number, fadeOut: number): void {
  const length = left.length;
  let power = 0;
  for (let i = 0; i < length; i++) power += left[i]! ** 2 + right[i]! ** 2;
  const rms = Math.sqrt(power / (2 * length));
  const scale = rms > 1e-9 ? (TARGET_RMS / rms) * gain : 0;
  const fadeInSamples = fadeIn * rate;
  const fadeOutSamples = fadeOut * rate;
  for (let i = 0; i < length; i++) {
    const fade = Math.min(1, i / fadeInSamples, (length - 1 - i) / fadeOutSamples);
    const level = scale * fade * fade * (3 - 2 * fade);
    left[i] = softLimit(left[i]! * level);
    right[i] = softLimit(right[i]! * level);
  }
}

function softLimit(value: number): number {
  const size = Math.abs(value);
  if (size <= KNEE) return value;
  const rounded = KNEE + (0.95 - KNEE) * Math.tanh((size - KNEE) / (0.95 - KNEE));
  return value < 0 ? -rounded : rounded;
}
