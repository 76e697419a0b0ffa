import { between, createRandom, hashText } from '#preview-engine/random';
import { makeDrum } from '#preview-engine/sound-drums';
import { addSample } from '#preview-engine/sound-mix';
import { playNote } from '#preview-engine/sound-voices';
import type { Random } from '#preview-engine/random';
import type { Mix } from '#preview-engine/sound-mix';
import type { PulseName, TextureName } from '#preview-engine/sound-words';

interface Scene {
  gain: number;
  /** Factor on all frequencies. */
  pitch: number;
  /** Factor on the rate of events. */
  speed: number;
}

/** Band-filtered noise, from `low` to `high` hertz, whose level and upper limit follow a slow swell. */
interface Noise {
  low: number;
  high: number;
  gain: number;
  /** Length of a swell in seconds; `depth` and `move` are its effects on the level and on the upper limit, 0 to 1. */
  period: number;
  depth: number;
  move: number;
}

const NOISES: Partial<Record<TextureName, readonly Noise[]>> = {
  rain: [
    { low: 900, high: 7500, gain: 0.5, period: 7, depth: 0.2, move: 0.1 },
    { low: 150, high: 900, gain: 0.35, period: 11, depth: 0.3, move: 0.1 },
  ],
  waves: [
    { low: 250, high: 2400, gain: 0.9, period: 7.3, depth: 0.95, move: 0.7 },
    { low: 60, high: 350, gain: 0.8, period: 7.3, depth: 0.6, move: 0.3 },
  ],
  wind: [
    { low: 220, high: 620, gain: 1.1, period: 5.1, depth: 0.85, move: 0.75 },
    { low: 700, high: 1500, gain: 0.3, period: 3.7, depth: 0.9, move: 0.6 },
  ],
  thunder: [{ low: 700, high: 5500, gain: 0.35, period: 9, depth: 0.4, move: 0.1 }],
  fire: [{ low: 120, high: 700, gain: 0.5, period: 2.3, depth: 0.4, move: 0.3 }],
  stream: [
    { low: 500, high: 2600, gain: 0.5, period: 1.3, depth: 0.3, move: 0.35 },
    { low: 1800, high: 5200, gain: 0.3, period: 0.7, depth: 0.45, move: 0.3 },
  ],
  city: [
    { low: 60, high: 380, gain: 1, period: 6.1, depth: 0.55, move: 0.3 },
    { low: 400, high: 1300, gain: 0.18, period: 4.3, depth: 0.8, move: 0.4 },
  ],
  vinyl: [{ low: 1000, high: 5000, gain: 0.05, period: 1.8, depth: 0.3, move: 0 }],
  drone: [{ low: 90, high: 420, gain: 0.35, period: 13, depth: 0.7, move: 0.5 }],
};

/** Single events over the noise: their mean number per second, and how to play one. */
const EVENTS: Partial<
  Record<TextureName, { each: number; play: (mix: Mix, at: number, scene: Scene, random: Random) => void }>
> = {
  rain: { each: 14, play: (mix, at, scene, random) => blip(mix, at, scene, random, 1800, 4200, 0.012, 0.05) },
  birds: { each: 1.6, play: chirp },
  crickets: { each: 1.5, play: stridulate },
  thunder: {
    each: 0.16,
    play: (mix, at, { gain, pitch }, random) =>
      addSample(
        mix,
        makeDrum('boom', mix.rate, pitch * between(random, 0.6, 1), Math.floor(random() * 1e9)),
        at,
        gain * 2.4,
        between(random, -0.4, 0.4),
        0.7,
      ),
  },
  fire: {
    each: 9,
    play: (mix, at, { gain, pitch }, random) =>
      addSample(
        mix,
        makeDrum('tick', mix.rate, pitch * between(random, 0.4, 1.2), Math.floor(random() * 1e9)),
        at,
        gain * between(random, 0.05, 0.4),
        between(random, -0.6, 0.6),
      ),
  },
  stream: { each: 7, play: (mix, at, scene, random) => blip(mix, at, scene, random, 500, 1400, 0.05, 0.09) },
  vinyl: {
    each: 6,
    play: (mix, at, { gain }, random) =>
      addSample(
        mix,
        makeDrum('tick', mix.rate, 1, Math.floor(random() * 1e9)),
        at,
        gain * between(random, 0.02, 0.12),
        between(random, -0.5, 0.5),
        0,
      ),
  },
  drone: {
    each: 0.2,
    play: (mix, at, { gain, pitch }, random) =>
      playNote(mix, 'pad', {
        at,
        length: 7,
        frequency: 55 * pitch * 2 ** (Math.floor(random() * 3) * (7 / 12)),
        gain: gain * 0.5,
        pan: between(random, -0.5, 0.5),
      }),
  },
};

export function playTexture(mix: Mix, name: TextureName, scene: Scene, seed: number): void {
  const seconds = mix.left.length / mix.rate;
  const random = createRandom(seed ^ hashText(name));
  for (const noise of NOISES[name] ?? []) addNoise(mix, noise, scene, random);
  const event = EVENTS[name];
  if (!event) return;
  const each = event.each * scene.speed;
  // the first event comes within 0.8 seconds, so that a short clip has one too
  for (let at = Math.min(0.8, random() / each); at < seconds; at += -Math.log(1 - random()) / each)
    event.play(mix, at, scene, random);
}

function addNoise(mix: Mix, noise: Noise, { gain, pitch, speed }: Scene, random: Random): void {
  const shift = random() * 10;
  for (const [side, out] of [mix.left, mix.right].entries()) {
    let low = 0;
    let lower = 0;
    let cut = 0;
    let sub = 0;
    let level = 0;
    for (let i = 0; i < out.length; i++) {
      if (i % 256 === 0) {
        const t = (i / mix.rate) * speed;
        const turn = (2 * Math.PI * (t + shift + side * 0.4)) / noise.period;
        const swell = 0.5 + 0.35 * Math.sin(turn) + 0.15 * Math.sin(turn * 2.7 + 1);
        const high = noise.high * pitch * (1 - noise.move * (1 - swell));
        cut = 1 - Math.exp((-2 * Math.PI * Math.min(high, mix.rate * 0.45)) / mix.rate);
        sub = 1 - Math.exp((-2 * Math.PI * noise.low * pitch) / mix.rate);
        level =
          gain *
          noise.gain *
          (1 - noise.depth + noise.depth * swell) *
          Math.sqrt(4000 / Math.max(400, noise.high)) *
          0.5;
      }
      low += (random() * 2 - 1 - low) * cut;
      lower += (low - lower) * sub;
      const value = (low - lower) * level;
      out[i]! += value;
      if (side === 0) mix.send[i]! += value * 0.1;
    }
  }
}

/** Plays a short sine, such as a drop or a bubble. */
function blip(
  mix: Mix,
  at: number,
  { gain, pitch }: Scene,
  random: Random,
  low: number,
  high: number,
  decay: number,
  level: number,
): void {
  const frequency = between(random, low, high) * pitch;
  const sample = new Float32Array(Math.ceil(decay * 6 * mix.rate));
  let phase = 0;
  for (let i = 0; i < sample.length; i++) {
    const t = i / mix.rate;
    phase += (frequency * (1 + t * 4)) / mix.rate;
    sample[i] = Math.sin(2 * Math.PI * phase) * Math.exp(-t / decay) * Math.min(1, t * 800);
  }
  addSample(mix, sample, at, gain * level * between(random, 0.3, 1), between(random, -0.8, 0.8), 0.3);
}

/** Plays a phrase of a small bird: gliding whistles. */
function chirp(mix: Mix, at: number, { gain, pitch }: Scene, random: Random): void {
  const base = between(random, 2000, 3800) * pitch;
  const pan = between(random, -0.9, 0.9);
  const level = gain * between(random, 0.08, 0.22);
  const bend = between(random, -0.35, 0.5);
  const count = 1 + Math.floor(random() * 5);
  const length = between(random, 0.05, 0.14);
  for (let note = 0; note < count; note++) {
    const sample = new Float32Array(Math.ceil(length * mix.rate));
    let phase = 0;
    for (let i = 0; i < sample.length; i++) {
      const t = i / sample.length;
      phase += (base * (1 + bend * t + 0.04 * Math.sin(t * 40))) / mix.rate;
      sample[i] = Math.sin(2 * Math.PI * phase) * Math.sin(Math.PI * t) ** 2;
    }
    addSample(mix, sample, at + note * length * 1.5, level, pan, 0.5);
  }
}

/** Plays a cricket: a high tone in quick pulses. */
function stridulate(mix: Mix, at: number, { gain, pitch }: Scene, random: Random): void {
  const frequency = between(random, 3900, 4700) * pitch;
  const beat = between(random, 26, 34);
  const sample = new Float32Array(Math.ceil(between(random, 0.25, 0.6) * mix.rate));
  for (let i = 0; i < sample.length; i++) {
    const t = i / mix.rate;
    const pulse = Math.max(0, Math.sin(2 * Math.PI * beat * t)) ** 2;
    sample[i] = Math.sin(2 * Math.PI * frequency * t) * pulse * Math.sin((Math.PI * i) / sample.length);
  }
  addSample(mix, sample, at, gain * between(random, 0.06, 0.16), between(random, -0.9, 0.9), 0.2);
}

/** Plays a sound that repeats at its own pace, such as a clock or footsteps. */
export function playPulse(mix: Mix, name: PulseName, { gain, pitch, speed }: Scene, seed: number): void {
  const seconds = mix.left.length / mix.rate;
  const random = createRandom(seed ^ hashText(name));
  const gap = { clock: 0.5, footsteps: 0.54, heartbeat: 0.86, explosion: 3.4, bells: 2.6 }[name] / speed;
  const drum = { clock: 'tick', footsteps: 'thud', heartbeat: 'kick', explosion: 'boom', bells: 'tick' } as const;
  const sample = makeDrum(drum[name], mix.rate, pitch, seed);
  let side = 1;
  for (
    let at = name === 'explosion' ? 0.4 : 0.15;
    at < seconds;
    at += gap * (name === 'clock' ? 1 : between(random, 0.95, 1.05))
  ) {
    side = -side;
    if (name === 'bells') {
      for (const [i, ratio] of [0.5, 1, 1.19, 1.5, 2].entries()) {
        playNote(mix, 'bell', {
          at,
          length: 2.4,
          frequency: 330 * ratio * pitch,
          gain: gain * (0.7 - i * 0.1),
          pan: 0,
        });
      }
      continue;
    }
    addSample(
      mix,
      sample,
      at,
      gain * between(random, 0.8, 1) * (name === 'clock' && side > 0 ? 0.7 : 1),
      name === 'footsteps' ? side * 0.25 : 0,
      name === 'explosion' ? 0.6 : 0.15,
    );
    if (name === 'heartbeat') addSample(mix, sample, at + 0.22 / speed, gain * 0.65, 0, 0.1);
  }
}
