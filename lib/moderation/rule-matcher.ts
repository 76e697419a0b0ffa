/** What a rule of the policy file says of the prompts that it is about. */
interface RuleWords {
  terms: string[];
  patterns: string[];
  and_terms: string[];
  and_patterns: string[];
  except: string[];
  within: number;
}

/** Words that the end of a sentence counts for: the next one may still speak of the same thing. */
const SENTENCE_END = 4;

/** Makes a test for prompts that went through `normalise`. */
export function ruleMatcher(rule: RuleWords): (text: string) => boolean {
  const first = expressions(rule.terms, rule.patterns);
  const second = expressions(rule.and_terms, rule.and_patterns);
  const except = rule.except.map(pattern => new RegExp(pattern, 'giu'));
  return text => {
    if (first.every(matcher => text.search(matcher) < 0)) return false;
    const rest = except.reduce((left, pattern) => left.replace(pattern, '…'), text);
    const found = spans(rest, first);
    if (second.length === 0 || found.length === 0) return found.length > 0;
    return anyWithin(rule.within, rest, found, spans(rest, second));
  };
}

/** One spelling for what reads the same: full-width and styled letters, case, invisible characters, runs of space or low lines. */
export const normalise = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .replace(/[’ʼ]/gu, "'")
    .replace(/[\s_]+/gu, ' ');

/** Places in a text, from the first character to the one after the last. */
type Span = [from: number, to: number];

const spans = (text: string, matchers: RegExp[]): Span[] =>
  matchers.flatMap(matcher =>
    Array.from(text.matchAll(matcher), ({ index, 0: match }): Span => [index, index + match.length]),
  );

/** Whether at most `limit` words stand between one of these and one of those. Linear, for prompts that repeat themselves. */
function anyWithin(limit: number, text: string, these: Span[], those: Span[]): boolean {
  const wordsBefore = countWords(text);
  const ends = [-1, -1];
  const inOrder = [...these.map(span => ({ span, kind: 0 })), ...those.map(span => ({ span, kind: 1 }))];
  inOrder.sort((a, b) => a.span[0] - b.span[0]);
  return inOrder.some(({ span: [from, to], kind }) => {
    const other = ends[1 - kind]!;
    ends[kind] = Math.max(ends[kind]!, to);
    return other >= 0 && wordsBefore[from]! - wordsBefore[other]! <= limit;
  });
}

/** For every place in a text, how many words begin before it. Signs in a row end one sentence; points in a row only pause in it. */
function countWords(text: string): Uint32Array {
  const counts = new Uint32Array(text.length + 1);
  for (const { index, 0: token } of text.matchAll(/[\p{L}\p{N}…]+|[.!?;。！？]+/gu))
    if (!/^\.{2,}$/.test(token)) counts[index + 1] = /[\p{L}\p{N}…]/u.test(token) ? 1 : SENTENCE_END;
  for (let at = 1; at < counts.length; at++) counts[at]! += counts[at - 1]!;
  return counts;
}

const expressions = (terms: string[], patterns: string[]): RegExp[] => [
  ...(terms.length > 0
    ? [new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.map(spellings).join('|')})(?![\\p{L}\\p{N}])`, 'gu')]
    : []),
  ...patterns.map(pattern => new RegExp(pattern, 'giu')),
];

/**
 * A term with its forms: plural, possessive, -ed and -ing of its last word. Only these: a stemmer would also take "minority"
 * for "minor". A space and a hyphen are the same, and an apostrophe may be missing.
 */
function spellings(term: string): string {
  const escaped = normalise(term)
    .trim()
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replace(/[ -]/g, '[ -]')
    .replaceAll("'", "'?");
  const last = /\p{L}$/u.exec(escaped)?.[0];
  if (!last) return escaped;
  const stem = escaped.slice(0, -1);
  const possessive = "(?:'s?)?";
  if (last === 'e') return `${stem}(?:e|es|ed|ing)${possessive}`;
  if (/[^aeiou]y$/u.test(escaped)) return `${stem}(?:y|ies|ied|ying)${possessive}`;
  return `${escaped}(?:e?s|${last}?(?:ed|ing))?${possessive}`;
}
