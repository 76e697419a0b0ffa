/** Part of a policy rule that decides which prompts it matches; see `Rule` in policy.ts. */
interface RuleWords {
  terms: string[];
  patterns: string[];
  and_terms: string[];
  and_patterns: string[];
  except: string[];
  within: number;
}

/** Number of words that a sentence end counts as; the next sentence may still refer to the same thing. */
const SENTENCE_END = 4;

/** Returns a function that tells whether a prompt, already passed through `normalise`, matches the rule. */
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

/** Normalises styled letters, case, invisible characters, apostrophes, and runs of spaces or underscores. */
export const normalise = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .replace(/[’ʼ]/gu, "'")
    .replace(/[\s_]+/gu, ' ');

/** Range in a text: the index of its first character, and the index after its last. */
type Span = [from: number, to: number];

const spans = (text: string, matchers: RegExp[]): Span[] =>
  matchers.flatMap(matcher =>
    Array.from(text.matchAll(matcher), ({ index, 0: match }): Span => [index, index + match.length]),
  );

/** Whether a span of `these` and one of `those` are at most `limit` words apart. Does not compare every pair. */
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

/**
 * Returns, for every index of a text, how many words begin before it. A run of sentence marks counts as one sentence
 * end, and a run of full stops (an ellipsis) as none.
 */
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
 * Returns a pattern for a term and the plural, possessive, -ed and -ing forms of its last word; a stemmer would also
 * match "minority" for "minor". Spaces and hyphens are equivalent, and apostrophes are optional.
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
