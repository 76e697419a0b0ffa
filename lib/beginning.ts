/** Returns the first `most` UTF-16 code units of a text, without splitting a surrogate pair at the end. */
export const beginning = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

/** Cuts a text to `most` UTF-16 code units and appends an ellipsis if it is longer. */
export const briefly = (text: string, most: number): string =>
  text.length > most ? `${beginning(text, most)}…` : text;
