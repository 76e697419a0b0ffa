import { createRandom } from '#preview-engine/random';
import type { BeatName } from '#preview-engine/sound-words';

export type DrumName = 'kick' | 'snare' | 'hat' | 'open' | 'tom' | 'brush' | 'tick' | 'thud' | 'boom' | 'zap';

/** A percussive sound: a falling tone and a burst of filtered noise. Times in seconds, pitches in hertz. */
interface Drum {
  tone: number;
  from: number;
  to: number;
  fall: number;
  toneDecay: number;
  noise: number;
  noiseDecay: number;
  /** Filter of the noise: a low pass from 1 (bright) down to 0 (dull); a negative value is a high pass. */
  colour: number;
}

const DRUMS: Record<DrumName, Drum> = {
  kick: { tone: 1, from: 150, to: 48, fall: 0.035, toneDecay: 0.16, noise: 0.12, noiseDecay: 0.008, colour: 0.5 },
  snare: { tone: 0.4, from: 230, to: 180, fall: 0.03, toneDecay: 0.07, noise: 0.6, noiseDecay: 0.1, colour: -0.4 },
  hat: { tone: 0, from: 0, to: 0, fall: 1, toneDecay: 0, noise: 0.5, noiseDecay: 0.025, colour: -0.05 },
  open: { tone: 0, from: 0, to: 0, fall: 1, toneDecay: 0, noise: 0.42, noiseDecay: 0.14, colour: -0.05 },
  tom: { tone: 1, from: 130, to: 72, fall: 0.08, toneDecay: 0.28, noise: 0.15, noiseDecay: 0.05, colour: 0.3 },
  brush: { tone: 0, from: 0, to: 0, fall: 1, toneDecay: 0, noise: 0.3, noiseDecay: 0.09, colour: -0.3 },
  tick: {
    tone: 0.5,
    from: 2600,
    to: 1900,
    fall: 0.004,
    toneDecay: 0.012,
    noise: 0.25,
    noiseDecay: 0.006,
    colour: -0.2,
  },
  thud: { tone: 0.8, from: 110, to: 60, fall: 0.03, toneDecay: 0.06, noise: 0.35, noiseDecay: 0.05, colour: 0.12 },
  boom: { tone: 0.9, from: 80, to: 28, fall: 0.25, toneDecay: 0.8, noise: 1, noiseDecay: 0.7, colour: 0.07 },
  zap: { tone: 0.6, from: 620, to: 90, fall: 0.05, toneDecay: 0.09, noise: 0, noiseDecay: 0.01, colour: 1 },
};

export function makeDrum(name: DrumName, rate: number, pitch: number, seed: number): Float32Array {
  const drum = DRUMS[name];
  const random = createRandom(seed);
  const sample = new Float32Array(Math.ceil(Math.max(drum.toneDecay, drum.noiseDecay) * 6 * rate));
  const pull = Math.min(1, Math.abs(drum.colour) * pitch * (48000 / rate));
  let phase = 0;
  let low = 0;
  for (let i = 0; i < sample.length; i++) {
    const t = i / rate;
    phase += ((drum.to + (drum.from - drum.to) * Math.exp(-t / drum.fall)) * pitch) / rate;
    const tone = drum.tone ? drum.tone * Math.sin(2 * Math.PI * phase) * Math.exp(-t / drum.toneDecay) : 0;
    const white = random() * 2 - 1;
    low += (white - low) * pull;
    const coloured = drum.colour < 0 ? white - low : low;
    sample[i] = (tone + coloured * drum.noise * Math.exp(-t / drum.noiseDecay)) * Math.min(1, t * 2000);
  }
  return sample;
}

interface Beat {
  /** Delay of every second eighth note, as a fraction of an eighth. */
  swing: number;
  /** Drums, each with its strength (0 to 9) at every sixteenth of a 4/4 bar, one digit per sixteenth. */
  lines: readonly (readonly [DrumName, gain: number, pan: number, steps: string])[];
}

export const BEAT_PATTERNS: Record<BeatName, Beat> = {
  none: { swing: 0, lines: [] },
  soft: {
    swing: 0,
    lines: [
      ['kick', 0.5, 0, '8000000060000000'],
      ['brush', 0.5, 0.2, '0000700000007000'],
      ['hat', 0.22, -0.3, '5030503050305030'],
    ],
  },
  lofi: {
    swing: 0.22,
    lines: [
      ['kick', 0.75, 0, '9000000300600000'],
      ['snare', 0.45, 0.1, '0000800000008000'],
      ['hat', 0.25, -0.25, '6040604060406042'],
    ],
  },
  swing: {
    swing: 0.33,
    lines: [
      ['kick', 0.4, 0, '6000300060003000'],
      ['brush', 0.45, 0.2, '0000600000006000'],
      ['hat', 0.38, -0.3, '7000704070007040'],
    ],
  },
  four: {
    swing: 0,
    lines: [
      ['kick', 0.9, 0, '9000900090009000'],
      ['snare', 0.4, 0, '0000800000008000'],
      ['hat', 0.2, 0.3, '3030303030303030'],
      ['open', 0.3, -0.3, '0060006000600060'],
    ],
  },
  rock: {
    swing: 0,
    lines: [
      ['kick', 0.85, 0, '9000003090600000'],
      ['snare', 0.6, 0.1, '0000900000009001'],
      ['hat', 0.28, -0.3, '7050705070507050'],
    ],
  },
  march: {
    swing: 0,
    lines: [
      ['boom', 0.28, 0, '9000000000000000'],
      ['tom', 0.8, -0.2, '9000050080005050'],
      ['tom', 0.5, 0.35, '0030003000300535'],
      ['snare', 0.22, 0.2, '0000600100006123'],
    ],
  },
  chip: {
    swing: 0,
    lines: [
      ['zap', 0.6, 0, '9000006090000060'],
      ['snare', 0.4, 0, '0000800000008000'],
      ['hat', 0.25, 0, '5050505050505055'],
    ],
  },
};
