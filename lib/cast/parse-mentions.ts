/** One `@handle` in a prompt. */
interface Mention {
  /** Where its `@` stands. */
  index: number;
  /**
   * What it may mean, longest first, in lower case: all that can be a handle, then that without the signs at its end. Nothing shorter:
   * `@ana-style` must not mean `ana` once `ana-style` is deleted.
   */
  names: string[];
}

/** No mention starts after a letter or digit of any script that puts spaces between words, nor after these signs. */
const NOT_AFTER = String.raw`(?<![[\p{L}\p{M}\p{N}_@.\\]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]])`;
const MENTION = new RegExp(String.raw`${NOT_AFTER}@([A-Za-z][A-Za-z0-9_\-]{0,14})`, 'gv');

/** A mention that is being typed: the end of the text before the caret. */
export const TYPED_MENTION = new RegExp(String.raw`${NOT_AFTER}@([A-Za-z0-9_\-]{0,15})$`, 'v');

/** Every mention of a prompt, or so many, in its order. `\@` and addresses such as a@b.c are none. */
export function parseMentions(prompt: string, most = Infinity): Mention[] {
  const found: Mention[] = [];
  for (const { index, 1: longest = '' } of prompt.matchAll(MENTION)) {
    if (found.length === most) break;
    found.push({ index, names: namesIn(longest.toLowerCase()) });
  }
  return found;
}

/** A text that mentions nobody, and is the same again where `\@` is read as a plain `@`. */
export const escapeMentions = (text: string): string =>
  text.replace(new RegExp(String.raw`${MENTION.source}|(?<=\\)@`, 'gv'), String.raw`\$&`);

function namesIn(longest: string): string[] {
  const signs = /[_-]*$/.exec(longest)![0].length;
  return Array.from({ length: signs + 1 }, (_, at) => longest.slice(0, longest.length - at));
}

/** The number of an image of the request itself: 2 for `image2`; null for every other name. */
export function ownImageNumber(name: string): number | null {
  const digits = /^image(\d+)$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** What a mention means: the longest of its names that is known or an image of the request; null when there is none. */
export const meaningOf = ({ names }: Mention, isKnown: (handle: string) => boolean): string | null =>
  names.find(name => isKnown(name) || ownImageNumber(name) !== null) ?? null;
