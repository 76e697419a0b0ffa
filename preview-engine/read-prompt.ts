import { COLOURS, SETTINGS, STYLES, SUBJECTS, TIMES, WEATHERS } from '#preview-engine/vocabulary';
import { fromHex, type Colour } from '#preview-engine/colour';
import { hashText } from '#preview-engine/random';

export type Subject = keyof typeof SUBJECTS;
export type Setting = keyof typeof SETTINGS;
type Daytime = keyof typeof TIMES;
type Weather = keyof typeof WEATHERS;
type Style = keyof typeof STYLES;

/** What the words of a prompt ask for. */
export interface Reading {
  /** In the order of the words. */
  subjects: Subject[];
  settings: Setting[];
  times: Daytime[];
  weathers: ReadonlySet<Weather>;
  styles: ReadonlySet<Style>;
  /** Colour words that speak of the whole picture. */
  colours: Colour[];
  /** Colour words right before a thing: "red hair", "blue vase". */
  colourOf: ReadonlyMap<string, Colour>;
  /** Hash of the words nothing else is known about; 0 when there are none. */
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
// The longest piece first, so that 灯台 is a lighthouse before 台 could be anything else.
pieces.sort((a, b) => b[0].length - a[0].length);

/** Endings, and the letters before them that make a word of the tables: "many" is no man, "stage" no stag. */
// prettier-ignore
const ENDINGS = Object.entries({
  '': 1, s: 3, n: 4, y: 4, es: 5, en: 5, e: 5, er: 5,
  ов: 3, ы: 3, и: 3, а: 3, у: 3, ой: 3, ом: 3, е: 3,
});
/** Letters that make the end of a compound: Abenddämmerung is a Dämmerung, while a vegetable is no table. */
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

/** Reads a prompt, in any language; words of the negative prompt take their meanings away. */
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
      // "orange", "gold" are things and colours at once: a colour only when a thing follows, or when they are nothing else.
      else if (nextThing) colourOf.set(nextThing, fromHex(tag));
      else if (!entries.some(entry => entry.table === 'subject')) colours.push(fromHex(tag));
    }
  });
  // Palm trees are one thing, not two.
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
