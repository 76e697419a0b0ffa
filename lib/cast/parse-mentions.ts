/** What a prompt mentions, each once, in the order of first appearance. */
export interface Mentions {
  /** Handles of characters and references, in lower case. */
  handles: string[];
  /** Numbers of the request's own images: 2 for `@image2`. */
  images: number[];
}

/** Decision 24: the longest handle after an `@` that is not escaped and does not stand in an address such as a@b.c. */
export const MENTION = /(?<![\w@.\\])@([a-z][a-z0-9_-]{0,14})/gi;
const OWN_IMAGE = /^image(\d+)$/;

export function parseMentions(prompt: string): Mentions {
  const found = new Set(Array.from(prompt.matchAll(MENTION), match => match[1]!.toLowerCase()));
  const mentions: Mentions = { handles: [], images: [] };
  for (const handle of found) {
    const number = OWN_IMAGE.exec(handle)?.[1];
    if (number === undefined) mentions.handles.push(handle);
    else mentions.images.push(Number(number));
  }
  return mentions;
}
