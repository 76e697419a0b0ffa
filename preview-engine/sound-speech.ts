import { createRandom } from '#preview-engine/random';
import { addSample } from '#preview-engine/sound-mix';
import type { Mix } from '#preview-engine/sound-mix';
import type { Speaker } from '#preview-engine/sound-plan';

/** Formants of a man's voice for each vowel, in hertz. */
const VOWELS: Record<string, readonly [number, number, number]> = {
  a: [730, 1090, 2440],
  e: [530, 1840, 2480],
  i: [290, 2250, 3000],
  o: [500, 880, 2410],
  u: [320, 800, 2240],
};

const SPEAKER_TONES: Record<Speaker, { pitch: number; mouth: number; breath: number }> = {
  low: { pitch: 112, mouth: 1, breath: 0.03 },
  high: { pitch: 205, mouth: 1.16, breath: 0.04 },
  child: { pitch: 285, mouth: 1.32, breath: 0.04 },
  whisper: { pitch: 150, mouth: 1.08, breath: 1 },
};

interface Syllable {
  vowel: keyof typeof VOWELS;
  /** Length of the hiss before the vowel (s, f, sh, t, k), in seconds. */
  hiss: number;
  /** Whether a voiced consonant precedes the vowel (m, n, l, b, d). */
  hum: boolean;
  /** Length at normal speed, in seconds; `pause` is the silence after it. */
  length: number;
  pause: number;
  /** Rise of the pitch, higher on a stressed syllable and before a question or exclamation mark. */
  lift: number;
}

/** Splits text into syllables: by groups of vowels in Latin and Cyrillic, by characters in other scripts. */
export function readSyllables(text: string): Syllable[] {
  const syllables: Syllable[] = [];
  const plain = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  for (const [token] of plain.matchAll(/[\p{L}\p{N}']+|[.,;:!?…。，！？、—-]+/gu)) {
    const lastOne = syllables.at(-1);
    if (!/[\p{L}\p{N}]/u.test(token)) {
      if (!lastOne) continue;
      lastOne.pause = /[.!?…。！？]/u.test(token) ? 0.42 : 0.2;
      if (/[?？]/u.test(token)) lastOne.lift = 1.4;
      if (/[!！]/u.test(token)) lastOne.lift = 0.9;
      continue;
    }
    const parts =
      token.match(/[^aeiouyаеёиоуыэюя]*[aeiouyаеёиоуыэюя]+(?:[^aeiouyаеёиоуыэюя']+$)?/g) ??
      (/[a-z0-9]/.test(token) ? [token] : Array.from(token));
    for (const [i, part] of parts.entries()) {
      const vowel = /[aeiou]/.exec(part)?.[0] ?? ['a', 'e', 'i', 'o', 'u'][(part.codePointAt(0) ?? 0) % 5]!;
      syllables.push({
        vowel,
        hiss: /[sfzcxtkphjqш]/.test(part[0] ?? '') ? (/[sfzcxjш]/.test(part[0]!) ? 0.075 : 0.028) : 0,
        hum: /[mnlrwvbdg]/.test(part[0] ?? ''),
        length: 0.155 + Math.min(4, part.length) * 0.014,
        pause: i === parts.length - 1 ? 0.025 : 0,
        lift: i === 0 && parts.length > 1 ? 0.5 : 0,
      });
    }
  }
  return syllables;
}

/** Murmurs `text` with its rhythm and intonation, after a short pause. Syllables that do not fit are left out. */
export function murmur(
  mix: Mix,
  text: string,
  speaker: Speaker,
  speed: number,
  transpose: number,
  gain: number,
  seed: number,
): void {
  const random = createRandom(seed);
  const tone = SPEAKER_TONES[speaker];
  const shift = 2 ** (transpose / 12);
  const pitch = tone.pitch * shift * (0.95 + random() * 0.1);
  const mouth = tone.mouth * shift ** 0.35;
  const seconds = mix.left.length / mix.rate;
  const syllables = readSyllables(text);
  let at = 0.25 / speed;
  let phraseStart = 0;
  for (const [index, syllable] of syllables.entries()) {
    const length = (syllable.length * (syllable.pause > 0.1 ? 1.35 : 1)) / speed;
    if (at + length > seconds - 0.1) return;
    const along = index - phraseStart;
    const melody = 1.08 - Math.min(0.2, along * 0.016) + syllable.lift * 0.12 + (random() - 0.5) * 0.06;
    const next = syllables[index + 1] ?? syllable;
    addSample(
      mix,
      voiceSyllable(
        mix.rate,
        syllable,
        next,
        length,
        pitch * melody,
        pitch * (melody + (syllable.lift > 1 ? 0.35 : -0.04)),
        mouth,
        tone.breath,
        random,
      ),
      at,
      gain,
      0,
      0.12,
    );
    at += length * 0.94 + syllable.pause / speed;
    if (syllable.pause > 0.3) phraseStart = index + 1;
  }
}

/** Synthesizes a syllable: a glottal source through three formants that glide to those of the next vowel. */
function voiceSyllable(
  rate: number,
  { vowel, hiss, hum }: Syllable,
  next: Syllable,
  length: number,
  from: number,
  to: number,
  mouth: number,
  breath: number,
  random: () => number,
): Float32Array {
  const sample = new Float32Array(Math.ceil(length * rate));
  const here = VOWELS[vowel]!;
  const there = VOWELS[next.vowel]!;
  const state = new Float64Array(6);
  const gains = [1, 0.55, 0.25];
  const widths = [80, 110, 170];
  const a = new Float64Array(3),
    b = new Float64Array(3),
    c = new Float64Array(3);
  let phase = 0;
  let flow = 0;
  for (let i = 0; i < sample.length; i++) {
    const t = i / sample.length;
    if (i % 48 === 0) {
      const glide = Math.max(0, t - 0.6) * 1.2;
      const opening = hum ? Math.min(1, 0.45 + t * 3) : 1;
      for (let f = 0; f < 3; f++) {
        const frequency = Math.min(
          rate * 0.45,
          (here[f]! + (there[f]! - here[f]!) * glide) * mouth * (f === 0 ? opening : 1),
        );
        const radius = Math.exp((-Math.PI * widths[f]!) / rate);
        b[f] = 2 * radius * Math.cos((2 * Math.PI * frequency) / rate);
        c[f] = -radius * radius;
        a[f] = (1 - radius) * gains[f]! * 4;
      }
    }
    phase += (from + (to - from) * t) / rate;
    if (phase >= 1) phase -= 1;
    // the glottis opens slowly and closes abruptly
    const opened = phase < 0.6 ? Math.sin((Math.PI * phase) / 1.2) ** 2 : Math.max(0, 1 - (phase - 0.6) * 12);
    const noise = random() * 2 - 1;
    const source = (opened - flow) * 6 * (1 - breath) + noise * breath * 0.5;
    flow = opened;
    let value = 0;
    for (let f = 0; f < 3; f++) {
      const out = a[f]! * source + b[f]! * state[f * 2]! + c[f]! * state[f * 2 + 1]!;
      state[f * 2 + 1] = state[f * 2]!;
      state[f * 2] = out;
      value += out;
    }
    const seconds = i / rate;
    const voiced = Math.max(0, Math.min(1, (seconds - hiss) * 40, (1 - t) * length * 25));
    const hissing = hiss > 0 && seconds < hiss * 1.2 ? noise * 0.1 * Math.sin((Math.PI * seconds) / (hiss * 1.2)) : 0;
    sample[i] = value * voiced * (hum ? Math.min(1, 0.4 + t * 3) : 1) + hissing;
  }
  return sample;
}
