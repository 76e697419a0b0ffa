/** An `@handle` in a prompt. */
interface Mention {
  /** Index of the `@` in the prompt. */
  index: number;
  /**
   * Possible handles in lower case, longest first: the whole match, then without the dashes and underscores at its end.
   * Nothing shorter, as `@ana-style` must not mean `ana` once `ana-style` is deleted.
   */
  names: string[];
}

/** A mention does not start after these signs, or after a letter or digit of a script with spaces between words. */
const NOT_AFTER = String.raw`(?<![[\p{L}\p{M}\p{N}_@.\\]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]])`;
const MENTION = new RegExp(String.raw`${NOT_AFTER}@([A-Za-z][A-Za-z0-9_\-]{0,14})`, 'gv');

/** Matches a mention in progress at the end of the text before the caret. */
export const TYPED_MENTION = new RegExp(String.raw`${NOT_AFTER}@([A-Za-z0-9_\-]{0,15})$`, 'v');

/** Returns the mentions of a prompt in order, at most `most`. `\@` and addresses such as a@b.c are not mentions. */
export function parseMentions(prompt: string, most = Infinity): Mention[] {
  const found: Mention[] = [];
  for (const { index, 1: longest = '' } of prompt.matchAll(MENTION)) {
    if (found.length === most) break;
    found.push({ index, names: namesIn(longest.toLowerCase()) });
  }
  return found;
}

/** Escapes all mentions of a text, so that reading `\@` as `@` restores the text. */
export const escapeMentions = (text: string): string =>
  text.replace(new RegExp(String.raw`${MENTION.source}|(?<=\\)@`, 'gv'), String.raw`\$&`);

function namesIn(longest: string): string[] {
  const signs = /[_-]*$/.exec(longest)![0].length;
  return Array.from({ length: signs + 1 }, (_, at) => longest.slice(0, longest.length - at));
}

/** Returns the number of an image of the request itself: 2 for `image2`; null for any other name. */
export function ownImageNumber(name: string): number | null {
  const digits = /^image(\d+)$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Returns the longest name of a mention that is a known handle or an image of the request; null when none is. */
export const meaningOf = ({ names }: Mention, isKnown: (handle: string) => boolean): string | null =>
  names.find(name => isKnown(name) || ownImageNumber(name) !== null) ?? null;
