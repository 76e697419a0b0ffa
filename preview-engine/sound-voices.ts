import type { Mix } from '#preview-engine/sound-mix';
import type { VoiceName } from '#preview-engine/sound-words';

/** An instrument: two mixtures of harmonics that a note fades between, and its envelope in seconds. */
interface Voice {
  /** Strengths of the harmonics at the start of a note; `soft` has those that it fades to. */
  bright: readonly number[];
  soft: readonly number[];
  attack: number;
  decay: number;
  sustain: number;
  release: number;
  /** Time constant of the fade from `bright` to `soft`, in seconds; 0 keeps the tone bright. */
  mellow: number;
  /** Detuning between the oscillators of the two channels, in cents; 0 for a single oscillator. */
  detune: number;
  /** Depth of the vibrato, in cents. */
  vibrato: number;
  gain: number;
  wet: number;
}

const saw = (count: number, tilt = 1) => Array.from({ length: count }, (_, i) => 1 / (i + 1) ** tilt);
const square = (count: number) => Array.from({ length: count }, (_, i) => (i % 2 ? 0 : 1 / (i + 1)));
const pulse = (count: number) => Array.from({ length: count }, (_, i) => Math.sin((i + 1) * Math.PI * 0.25) / (i + 1));

const VOICES: Record<VoiceName, Voice> = {
  pad: {
    bright: saw(12, 1.6),
    soft: saw(6, 2.2),
    attack: 0.5,
    decay: 2,
    sustain: 0.8,
    release: 0.9,
    mellow: 2.5,
    detune: 9,
    vibrato: 4,
    gain: 0.5,
    wet: 0.6,
  },
  strings: {
    bright: saw(24, 1.15),
    soft: saw(14, 1.5),
    attack: 0.18,
    decay: 1.5,
    sustain: 0.8,
    release: 0.5,
    mellow: 1.5,
    detune: 11,
    vibrato: 9,
    gain: 0.45,
    wet: 0.5,
  },
  piano: {
    bright: [1, 0.62, 0.4, 0.28, 0.2, 0.15, 0.1, 0.08, 0.05, 0.04],
    soft: [1, 0.3, 0.1, 0.04],
    attack: 0.004,
    decay: 0.9,
    sustain: 0.05,
    release: 0.25,
    mellow: 0.5,
    detune: 2,
    vibrato: 0,
    gain: 0.8,
    wet: 0.3,
  },
  keys: {
    bright: [1, 0.25, 0.1, 0.28, 0.05, 0.02, 0.08],
    soft: [1, 0.12, 0.03],
    attack: 0.006,
    decay: 1.1,
    sustain: 0.12,
    release: 0.3,
    mellow: 0.4,
    detune: 5,
    vibrato: 5,
    gain: 0.75,
    wet: 0.3,
  },
  pluck: {
    bright: saw(18, 1),
    soft: [1, 0.25, 0.08],
    attack: 0.002,
    decay: 0.45,
    sustain: 0,
    release: 0.2,
    mellow: 0.18,
    detune: 0,
    vibrato: 0,
    gain: 0.8,
    wet: 0.3,
  },
  bell: {
    bright: [1, 0.05, 0.5, 0, 0.32, 0, 0.12, 0, 0.06, 0, 0.1],
    soft: [1, 0, 0.12],
    attack: 0.002,
    decay: 1.1,
    sustain: 0,
    release: 0.8,
    mellow: 0.6,
    detune: 4,
    vibrato: 0,
    gain: 0.6,
    wet: 0.6,
  },
  flute: {
    bright: [1, 0.35, 0.18, 0.05, 0.02],
    soft: [1, 0.2, 0.06],
    attack: 0.07,
    decay: 1,
    sustain: 0.85,
    release: 0.15,
    mellow: 0.6,
    detune: 0,
    vibrato: 14,
    gain: 0.6,
    wet: 0.45,
  },
  reed: {
    bright: [1, 0.5, 0.7, 0.35, 0.42, 0.2, 0.22, 0.1, 0.08],
    soft: [1, 0.3, 0.4, 0.12, 0.15],
    attack: 0.04,
    decay: 1,
    sustain: 0.8,
    release: 0.12,
    mellow: 0.8,
    detune: 0,
    vibrato: 12,
    gain: 0.45,
    wet: 0.35,
  },
  brass: {
    bright: saw(16, 0.85),
    soft: saw(7, 1.3),
    attack: 0.06,
    decay: 1.2,
    sustain: 0.75,
    release: 0.2,
    mellow: 0.9,
    detune: 5,
    vibrato: 6,
    gain: 0.45,
    wet: 0.45,
  },
  organ: {
    bright: [1, 0.8, 0.5, 0.6, 0, 0.3, 0, 0.35],
    soft: [1, 0.8, 0.5, 0.6, 0, 0.3, 0, 0.35],
    attack: 0.03,
    decay: 1,
    sustain: 1,
    release: 0.15,
    mellow: 0,
    detune: 3,
    vibrato: 4,
    gain: 0.35,
    wet: 0.5,
  },
  saw: {
    bright: saw(28, 1),
    soft: saw(10, 1.4),
    attack: 0.01,
    decay: 0.5,
    sustain: 0.5,
    release: 0.12,
    mellow: 0.35,
    detune: 13,
    vibrato: 0,
    gain: 0.38,
    wet: 0.3,
  },
  square: {
    bright: square(21),
    soft: square(15),
    attack: 0.003,
    decay: 0.3,
    sustain: 0.6,
    release: 0.05,
    mellow: 0.3,
    detune: 0,
    vibrato: 8,
    gain: 0.42,
    wet: 0.12,
  },
  bass: {
    bright: [1, 0.45, 0.2, 0.12, 0.05],
    soft: [1, 0.18, 0.04],
    attack: 0.008,
    decay: 0.8,
    sustain: 0.4,
    release: 0.12,
    mellow: 0.3,
    detune: 0,
    vibrato: 0,
    gain: 1,
    wet: 0.05,
  },
  pulse: {
    bright: pulse(20),
    soft: pulse(8),
    attack: 0.003,
    decay: 0.25,
    sustain: 0.4,
    release: 0.06,
    mellow: 0.2,
    detune: 0,
    vibrato: 0,
    gain: 0.6,
    wet: 0.08,
  },
};

interface Note {
  /** Start in seconds; `length` is in seconds too. */
  at: number;
  length: number;
  frequency: number;
  gain: number;
  /** Stereo position, from -1 (left) to 1 (right). */
  pan: number;
}

const SIZE = 2048;
const BLOCK = 64;
const tables = new Map<readonly number[], Map<number, Float32Array>>();

/** Returns one period of a mixture, limited to its first `room` harmonics to avoid aliasing. */
function waveTable(mixture: readonly number[], room: number): Float32Array {
  const count = Math.max(1, Math.min(mixture.length, room));
  let cuts = tables.get(mixture);
  if (!cuts) tables.set(mixture, (cuts = new Map()));
  let table = cuts.get(count);
  if (table) return table;
  table = new Float32Array(SIZE + 1);
  const sum = Math.hypot(...mixture);
  for (let harmonic = 1; harmonic <= count; harmonic++) {
    const strength = mixture[harmonic - 1]! / sum;
    if (strength) for (let i = 0; i <= SIZE; i++) table[i]! += strength * Math.sin((2 * Math.PI * harmonic * i) / SIZE);
  }
  cuts.set(count, table);
  return table;
}

/** Plays a note into the mix. */
export function playNote(mix: Mix, name: VoiceName, note: Note): void {
  const voice = VOICES[name];
  const { rate } = mix;
  if (note.frequency <= 0 || note.frequency > rate * 0.45) return;
  const room = Math.floor((rate * 0.45) / note.frequency);
  const bright = waveTable(voice.bright, room);
  const soft = waveTable(voice.soft, room);
  const start = Math.round(note.at * rate);
  const end = Math.min(mix.left.length, start + Math.round((note.length + voice.release * 1.5) * rate));
  const detune = voice.detune ? 2 ** (voice.detune / 2400) : 1;
  const gain = note.gain * voice.gain * 0.25;
  const width = voice.detune ? 0.7 : 0;
  const panA = (Math.max(-1, note.pan - width) + 1) * (Math.PI / 4);
  const panB = (Math.min(1, note.pan + width) + 1) * (Math.PI / 4);
  const aLeft = Math.cos(panA),
    aRight = Math.sin(panA),
    bLeft = Math.cos(panB),
    bRight = Math.sin(panB);
  const envelope = (t: number): number => {
    const held = Math.min(t, note.length);
    const level =
      held < voice.attack
        ? held / voice.attack
        : voice.sustain + (1 - voice.sustain) * Math.exp((voice.attack - held) / voice.decay);
    return t <= note.length ? level : level * Math.exp((-4 * (t - note.length)) / voice.release);
  };
  let phaseA = 0;
  let phaseB = SIZE * 0.37;
  let level = 0;
  for (let block = start; block < end; block += BLOCK) {
    const stop = Math.min(end, block + BLOCK);
    const t = (stop - start) / rate;
    const target = envelope(t) * gain;
    const step = (target - level) / (stop - block);
    const share = voice.mellow ? Math.exp(-t / voice.mellow) : 1;
    const wobble = voice.vibrato
      ? 2 ** ((voice.vibrato / 1200) * Math.sin(2 * Math.PI * 5.2 * t) * Math.min(1, t * 2))
      : 1;
    const inc = (note.frequency * wobble * SIZE) / rate;
    const incA = inc * detune;
    const incB = inc / detune;
    for (let i = block; i < stop; i++) {
      level += step;
      phaseA += incA;
      if (phaseA >= SIZE) phaseA -= SIZE;
      const index = phaseA | 0;
      const part = phaseA - index;
      const low = soft[index]! + (soft[index + 1]! - soft[index]!) * part;
      const high = bright[index]! + (bright[index + 1]! - bright[index]!) * part;
      const a = (low + (high - low) * share) * level;
      let b = a;
      if (detune !== 1) {
        phaseB += incB;
        if (phaseB >= SIZE) phaseB -= SIZE;
        const other = phaseB | 0;
        const rest = phaseB - other;
        const lowB = soft[other]! + (soft[other + 1]! - soft[other]!) * rest;
        const highB = bright[other]! + (bright[other + 1]! - bright[other]!) * rest;
        b = (lowB + (highB - lowB) * share) * level;
      }
      mix.left[i]! += a * aLeft + b * bLeft;
      mix.right[i]! += a * aRight + b * bRight;
      mix.send[i]! += (a + b) * voice.wet;
    }
  }
}
