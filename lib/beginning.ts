/** The first `most` UTF-16 units of a text, and no half character at the end. */
export const beginning = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

/** A text of up to `most` UTF-16 units as it is; of a longer one the beginning, with an ellipsis. */
export const briefly = (text: string, most: number): string =>
  text.length > most ? `${beginning(text, most)}…` : text;
