import { createRandom, hashText, pick } from '#preview-engine/random';
import { BEATS, INSTRUMENTS, MOODS, MUSIC, PULSES, SPEAKERS, SPEECH, TEXTURES } from '#preview-engine/sound-words';
import type { Mood, MoodName, PulseName, TextureName } from '#preview-engine/sound-words';

export type Speaker = keyof typeof SPEAKERS;

/** The parts of the sound that a prompt asks for. */
interface SoundPlan {
  mood: Mood;
  /** Relative loudness of the music, 0 to 1; 0 for none. */
  music: number;
  textures: TextureName[];
  pulses: PulseName[];
  /** Text to speak; empty for no speech. */
  speech: string;
  speaker: Speaker;
}

/** Scripts without spaces between words, where a word matches anywhere in the text. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const QUOTED = /["“„«「『]([^"”“„»«」「』『]{2,})["”“»」』]/gu;

/** Words that exclude the next `REACH` words, unless one of `TURNS` comes first. */
const WITHOUT = new Set('no without kein keine keinen ohne sans sin senza sem без'.split(' '));
const REACH = 4;
const TURNS = new Set(
  ', . ; : ! ? and but only just with while in on at under und aber nur mit et mais y pero и'.split(' '),
);

/** Splits the words of a text into wanted ones and excluded ones. */
function readWords(text: string): { wanted: Set<string>; refused: Set<string> } {
  const words = { wanted: new Set<string>(), refused: new Set<string>() };
  let reach = 0;
  for (const [word] of text.matchAll(/[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*|[,.;:!?]/gu)) {
    if (TURNS.has(word)) reach = 0;
    else if (WITHOUT.has(word)) reach = REACH;
    else if (reach-- > 0) words.refused.add(word);
    else words.wanted.add(word);
  }
  return words;
}

/** Plans the sound of a prompt. The `brightness` of a guiding image, 0 to 1, chooses the mood when no word does. */
export function planSound(prompt: string, seed: number, brightness: number | null): SoundPlan {
  const text = prompt
    .toLowerCase()
    .normalize('NFKC')
    .replace(/@[\w-]+/g, ' ');
  const { wanted, refused } = readWords(text);
  const hears = (words: string) =>
    words.split(' ').some(word => (UNSPACED.test(word) ? text.includes(word) : wanted.has(word)));
  const refuses = (words: string) => words.split(' ').some(word => refused.has(word));

  const quoted = [...prompt.matchAll(QUOTED)].map(match => match[1]!.trim());
  const speaks = quoted.length > 0 || hears(SPEECH);
  const after =
    /(?:^|[\s,.])(?:says?|saying|said|speaks?|whispers?|reads?|asks|shouts|narrates?)\b[\s:,]*(.+)$/isu.exec(
      prompt,
    )?.[1];
  const speech = speaks ? quoted.join('. ') || after || prompt : '';

  const textures = (Object.keys(TEXTURES) as TextureName[]).filter(name => hears(TEXTURES[name]));
  const pulses = (Object.keys(PULSES) as PulseName[]).filter(name => hears(PULSES[name]));
  const named = (Object.keys(MOODS) as MoodName[])
    .map(name => ({ ...(MOODS[name] as Mood) }))
    .filter(({ words }) => hears(words));
  const genre = named.find(mood => mood.genre);
  const feeling = named.find(mood => !mood.genre);
  const instruments = Object.values(INSTRUMENTS).filter(({ words }) => hears(words));
  const beats = Object.values(BEATS).filter(({ words }) => hears(words));

  const random = createRandom(seed ^ hashText(text));
  const mood: Mood = genre ?? feeling ?? { ...MOODS[moodWithoutWords(random, textures.length > 0, brightness)] };
  if (genre && feeling) Object.assign(mood, { scale: feeling.scale, tempo: feeling.tempo });
  for (const { voice, part } of instruments) mood[part] = voice;
  if (beats.length > 0 && mood.beat === 'none') mood.beat = beats[0]!.beat;
  if (named.length > 0 && mood.texture && !textures.includes(mood.texture)) textures.push(mood.texture);

  const asked = hears(MUSIC) || instruments.length > 0 || beats.length > 0;
  const scene = textures.length + pulses.length > 0;
  const usual = asked || (named.length > 0 && !speaks) ? 1 : speaks ? 0.22 : scene ? 0.3 : 1;
  const music = refuses(MUSIC) ? 0 : usual;
  if (music < 1 || refuses(BEATS.drums!.words)) mood.beat = 'none';
  // a silent file would seem broken
  if (music === 0 && !scene && !speaks) textures.push('drone');
  const speaker =
    (Object.keys(SPEAKERS) as Speaker[]).findLast(name => hears(SPEAKERS[name])) ??
    pick(random, ['low', 'high'] as const);
  return { mood, music, textures, pulses, speech, speaker };
}

function moodWithoutWords(random: () => number, scene: boolean, brightness: number | null): MoodName {
  if (scene) return 'calm';
  if (brightness !== null) return brightness > 0.55 ? 'happy' : brightness > 0.3 ? 'calm' : 'sad';
  return pick(random, ['calm', 'lofi', 'folk', 'classical', 'ambient', 'electronic', 'happy'] as const);
}
