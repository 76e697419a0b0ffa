import { COLOURS, SETTINGS, STYLES, SUBJECTS, TIMES, WEATHERS } from '#preview-engine/vocabulary';
import { fromHex, type Colour } from '#preview-engine/colour';
import { hashText } from '#preview-engine/random';

export type Subject = keyof typeof SUBJECTS;
export type Setting = keyof typeof SETTINGS;
type Daytime = keyof typeof TIMES;
type Weather = keyof typeof WEATHERS;
type Style = keyof typeof STYLES;

/** The content of a prompt, as found by its words. */
export interface Reading {
  /** Subjects in the order of the words. */
  subjects: Subject[];
  settings: Setting[];
  times: Daytime[];
  weathers: ReadonlySet<Weather>;
  styles: ReadonlySet<Style>;
  /** Colours named for the whole image. */
  colours: Colour[];
  /** Colours named directly before a subject, by subject: "red hair", "blue vase". */
  colourOf: ReadonlyMap<string, Colour>;
  /** Hash of the unknown words; 0 when there are none. */
  unknown: number;
}

const SCRIPT_WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Arabic}]/u;
const STOP = new Set(
  'a an the of in on at with and or to by for from over under into near very der die das ein eine und im am mit von le la les un une de du des et en el los las y con il lo gli da do na no em e в на и с'.split(
    ' ',
  ),
);

interface Entry {
  table: 'subject' | 'setting' | 'time' | 'weather' | 'style' | 'colour';
  tag: string;
}

const words = new Map<string, Entry[]>();
const pieces: [piece: string, entry: Entry][] = [];
const tables = {
  subject: SUBJECTS,
  setting: SETTINGS,
  time: TIMES,
  weather: WEATHERS,
  style: STYLES,
  colour: COLOURS,
} as const;
for (const [table, tags] of Object.entries(tables)) {
  for (const [tag, list] of Object.entries(tags)) {
    const entry: Entry = { table: table as Entry['table'], tag };
    for (const word of list.toLowerCase().normalize('NFKC').split(' ')) {
      if (SCRIPT_WITHOUT_SPACES.test(word)) pieces.push([word, entry]);
      else words.set(word, [...(words.get(word) ?? []), entry]);
    }
  }
}
// the longest piece first, so that 灯台 (lighthouse) is found before a piece such as 台
pieces.sort((a, b) => b[0].length - a[0].length);

/** Endings to strip, with the minimum number of letters before them: "many" is not "man", "stage" is not "stag". */
// prettier-ignore
const ENDINGS = Object.entries({
  '': 1, s: 3, n: 4, y: 4, es: 5, en: 5, e: 5, er: 5,
  ов: 3, ы: 3, и: 3, а: 3, у: 3, ой: 3, ом: 3, е: 3,
});
/** Minimum length of the last word of a compound: "Abenddämmerung" is "Dämmerung", "vegetable" is not "table". */
const COMPOUND_END = 7;

function lookUp(token: string): Entry[] {
  for (const [ending, letters] of ENDINGS) {
    if (!token.endsWith(ending) || token.length - ending.length < letters) continue;
    const found = words.get(token.slice(0, token.length - ending.length));
    if (found) return found;
  }
  for (let cut = 2; token.length - cut >= COMPOUND_END; cut++) {
    const found = words.get(token.slice(cut));
    if (found) return found;
  }
  return [];
}

function findEntries(text: string): { token: string; entries: Entry[] }[] {
  const found: { token: string; entries: Entry[] }[] = [];
  for (const [token] of text.matchAll(/[\p{L}\p{N}\p{M}&]+(?:-[\p{L}\p{N}]+)*|[\p{Extended_Pictographic}\p{RI}]/gu)) {
    if (!SCRIPT_WITHOUT_SPACES.test(token)) {
      const entries = lookUp(token);
      if (entries.length > 0 || !token.includes('-')) found.push({ token, entries });
      else for (const part of token.split('-')) found.push({ token: part, entries: lookUp(part) });
      continue;
    }
    let rest = token;
    const hits: { at: number; token: string; entries: Entry[] }[] = [];
    for (const [piece, entry] of pieces) {
      const at = token.indexOf(piece);
      if (at < 0 || !(rest.includes(piece) || hits.some(hit => hit.token === piece))) continue;
      const same = hits.find(hit => hit.token === piece);
      if (same) same.entries.push(entry);
      else hits.push({ at, token: piece, entries: [entry] });
      rest = rest.replace(piece, ' ');
    }
    hits.sort((a, b) => a.at - b.at);
    found.push(...hits);
    if (hits.length === 0) found.push({ token, entries: [] });
  }
  return found;
}

/** Reads a prompt in any of the languages of the vocabulary. What the negative prompt names is removed. */
export function readPrompt(prompt: string, negative = ''): Reading {
  const clean = (text: string) =>
    text
      .toLowerCase()
      .normalize('NFKC')
      .replace(/@[\w-]+/g, ' ');
  const refused = new Set(
    findEntries(clean(negative)).flatMap(({ entries }) => entries.map(entry => `${entry.table}:${entry.tag}`)),
  );
  const tokens = findEntries(clean(prompt));
  const sets = {
    subject: new Set<string>(),
    setting: new Set<string>(),
    time: new Set<string>(),
    weather: new Set<string>(),
    style: new Set<string>(),
  };
  const colours: Colour[] = [];
  const colourOf = new Map<string, Colour>();
  let unknown = 0;
  tokens.forEach(({ token, entries }, index) => {
    if (entries.length === 0 && !STOP.has(token)) unknown = hashText(`${unknown}${token}`);
    const next = tokens[index + 1];
    const nextThing =
      next?.entries.find(entry => entry.table === 'subject')?.tag ??
      (/^(hair|haar|cheveux|pelo|eyes?)/.test(next?.token ?? '') ? 'hair' : undefined);
    for (const { table, tag } of entries) {
      if (refused.has(`${table}:${tag}`)) continue;
      if (table !== 'colour') sets[table].add(tag);
      // a word such as "orange" may also be a subject: it is a colour only before a subject or when it is not one
      else if (nextThing) colourOf.set(nextThing, fromHex(tag));
      else if (!entries.some(entry => entry.table === 'subject')) colours.push(fromHex(tag));
    }
  });
  // "palm tree" is a single subject
  if (sets.subject.has('palm')) sets.subject.delete('tree');
  return {
    subjects: [...sets.subject] as Subject[],
    settings: [...sets.setting] as Setting[],
    times: [...sets.time] as Daytime[],
    weathers: sets.weather as ReadonlySet<Weather>,
    styles: sets.style as ReadonlySet<Style>,
    colours,
    colourOf,
    unknown,
  };
}
