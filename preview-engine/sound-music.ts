import { between, pick } from '#preview-engine/random';
import { BEAT_PATTERNS, makeDrum } from '#preview-engine/sound-drums';
import { addSample } from '#preview-engine/sound-mix';
import { playNote } from '#preview-engine/sound-voices';
import type { Random } from '#preview-engine/random';
import type { DrumName } from '#preview-engine/sound-drums';
import type { Mix } from '#preview-engine/sound-mix';
import type { Mood, ScaleName } from '#preview-engine/sound-words';

const SCALES: Record<ScaleName, readonly number[]> = {
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
  dorian: [0, 2, 3, 5, 7, 9, 10],
  lydian: [0, 2, 4, 6, 7, 9, 11],
  mixolydian: [0, 2, 4, 5, 7, 9, 10],
  phrygian: [0, 1, 3, 5, 7, 8, 10],
};

/** Chord progressions by scale, one degree per bar; each leads back to its start. */
const PROGRESSIONS: Record<ScaleName, readonly (readonly number[])[]> = {
  major: [
    [0, 4, 5, 3],
    [0, 5, 3, 4],
    [0, 2, 3, 4],
    [0, 3, 5, 4],
  ],
  minor: [
    [0, 5, 2, 6],
    [0, 3, 5, 6],
    [0, 6, 5, 6],
    [0, 5, 3, 4],
  ],
  dorian: [
    [0, 3, 0, 3],
    [1, 4, 0, 0],
    [0, 2, 3, 4],
    [0, 6, 3, 0],
  ],
  lydian: [
    [0, 1, 0, 4],
    [0, 4, 1, 0],
    [0, 2, 1, 4],
  ],
  mixolydian: [
    [0, 6, 3, 0],
    [0, 3, 6, 0],
    [0, 4, 6, 3],
  ],
  phrygian: [
    [0, 1, 0, 1],
    [0, 0, 1, 5],
  ],
};

/** Melody rhythms of a bar, as notes of [start, length] in eighths. */
const RHYTHMS: readonly (readonly (readonly [number, number])[])[] = [
  [
    [0, 3],
    [3, 1],
    [4, 4],
  ],
  [
    [0, 2],
    [2, 2],
    [4, 3],
    [7, 1],
  ],
  [
    [0, 4],
    [5, 1],
    [6, 2],
  ],
  [
    [1, 1],
    [2, 2],
    [4, 2],
    [6, 2],
  ],
  [
    [0, 1],
    [1, 1],
    [2, 2],
    [4, 4],
  ],
  [
    [0, 6],
    [6, 2],
  ],
];

interface Score {
  mood: Mood;
  gain: number;
  /** Factor on the tempo. */
  speed: number;
  /** Transposition in semitones. */
  transpose: number;
}

/** Composes and plays a piece of whole bars that fills the mix exactly and ends on the tonic. */
export function playMusic(mix: Mix, { mood, gain, speed, transpose }: Score, random: Random): void {
  const seconds = mix.left.length / mix.rate;
  const wanted = between(random, ...mood.tempo) * speed;
  const bars = Math.max(1, Math.round((seconds * wanted) / 240));
  const bar = seconds / bars;
  const scale = SCALES[mood.scale];
  const progression = pick(random, PROGRESSIONS[mood.scale]);
  const root = 57 + Math.floor(random() * 7) - 3 + transpose + 12 * (mood.octave ?? 0);
  const pitch = (degree: number, octave = 0) => {
    const step = ((degree % 7) + 7) % 7;
    return 440 * 2 ** ((root + scale[step]! + 12 * (Math.floor(degree / 7) + octave) - 69) / 12);
  };
  const tones = mood.sevenths ? [0, 2, 4, 6] : [0, 2, 4];
  const motifs = [pick(random, RHYTHMS), pick(random, RHYTHMS)] as const;
  const contour = Array.from({ length: 8 }, () => Math.floor(random() * 5) - 2);
  const style = pick(random, ['arpeggio', 'block', 'offbeat'] as const);
  const drums = new Map<DrumName, Float32Array>();
  let step = 4;

  for (let index = 0; index < bars; index++) {
    const at = index * bar;
    const last = index === bars - 1 && bars > 1;
    const degree = last ? 0 : progression[index % progression.length]!;
    const layers = layersAt(bars, index);

    for (const [i, tone] of tones.entries()) {
      const note = { at, length: bar * 0.98, frequency: pitch(degree + tone, i === 0 ? -1 : 0), pan: i * 0.3 - 0.3 };
      playNote(mix, mood.pad, { ...note, gain: gain * 0.3 });
    }
    playNote(mix, mood.bass, { at, length: bar * 0.46, frequency: pitch(degree, -2), gain: gain * 0.55, pan: 0 });
    if (layers.bass && !last) {
      const walk =
        mood.beat === 'swing' ? [2, 4, 6] : mood.beat === 'four' || mood.beat === 'chip' ? [0, 0, 0] : [0, 4];
      const gap = bar / (walk.length + 1);
      for (const [i, move] of walk.entries()) {
        playNote(mix, mood.bass, {
          at: at + gap * (i + 1),
          length: gap * 0.8,
          frequency: pitch(degree + move, -2),
          gain: gain * 0.45,
          pan: 0,
        });
      }
    }
    if (layers.chords) playChords(last ? 'block' : style, degree, at);
    if (layers.lead) playLead(index, degree, at, last);
    if (layers.beat && !last) playBeat(at, index);
  }

  function playChords(how: 'arpeggio' | 'block' | 'offbeat', degree: number, at: number): void {
    const eighth = bar / 8;
    const play = (tone: number, time: number, length: number, strength: number) =>
      playNote(mix, mood.chords, {
        at: time + random() * 0.008,
        length,
        frequency: pitch(degree + tone),
        gain: gain * strength * (0.9 + random() * 0.2),
        pan: 0.25 - (tone / 6) * 0.5,
      });
    if (how === 'arpeggio') {
      const order = [0, 2, 4, 7, 4, 2, 4, 2];
      for (const [i, tone] of order.entries()) play(tone, at + i * eighth, eighth * 1.6, 0.4);
      return;
    }
    const hits = how === 'block' ? [0, 4] : [1, 3, 5, 7];
    for (const hit of hits)
      for (const tone of tones)
        play(tone, at + hit * eighth + tone * 0.006, how === 'block' ? bar * 0.45 : eighth * 0.8, 0.3);
  }

  /** Plays a motif that returns in every second bar, with chord tones on strong beats. */
  function playLead(index: number, degree: number, at: number, last: boolean): void {
    if (last) {
      playNote(mix, mood.lead, { at, length: bar * 0.7, frequency: pitch(7), gain: gain * 0.55, pan: 0.1 });
      return;
    }
    for (const [i, [start, length]] of motifs[index % 2]!.entries()) {
      step = Math.max(0, Math.min(10, step + contour[(i + (index % 4 < 2 ? 0 : 3)) % 8]!));
      const strong = start % 4 === 0;
      const chordTone = degree + tones[Math.abs(step) % tones.length]!;
      const target = strong ? chordTone + 7 * Math.round((step - chordTone) / 7) : step;
      playNote(mix, mood.lead, {
        at: at + (start * bar) / 8,
        length: ((length * bar) / 8) * 0.92,
        frequency: pitch(target, 1),
        gain: gain * (strong ? 0.55 : 0.45),
        pan: 0.1,
      });
    }
  }

  function playBeat(at: number, index: number): void {
    const { swing, lines } = BEAT_PATTERNS[mood.beat];
    const fill = index % 4 === 3;
    for (const [name, strength, pan, steps] of lines) {
      const drum = drumOf(name);
      for (let i = 0; i < 16; i++) {
        const hit = Number(steps[i]) || (fill && i > 12 && name === 'snare' ? 5 : 0);
        if (!hit) continue;
        const late = i % 4 === 2 ? swing : 0;
        const human = 0.85 + random() * 0.3;
        addSample(mix, drum, at + ((i + late * 2) * bar) / 16, gain * strength * (hit / 9) * human * 0.5, pan, 0.08);
      }
    }
  }

  function drumOf(name: DrumName): Float32Array {
    let sample = drums.get(name);
    if (!sample) drums.set(name, (sample = makeDrum(name, mix.rate, 2 ** (transpose / 12), 7)));
    return sample;
  }
}

/** Returns the parts that play in a bar: nearly all in a short piece; a longer one builds up and may have one break. */
function layersAt(bars: number, index: number): { bass: boolean; chords: boolean; lead: boolean; beat: boolean } {
  const done = index / bars;
  if (bars <= 4) return { bass: true, chords: true, lead: bars < 3 || index > 0, beat: true };
  const breath = bars >= 12 && done >= 0.55 && done < 0.65;
  return {
    bass: done >= 0.1 && !breath,
    chords: true,
    lead: done >= 0.2,
    beat: done >= 0.12 && !breath && done < 0.95,
  };
}
