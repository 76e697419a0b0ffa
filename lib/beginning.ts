/** The first `most` UTF-16 units of a text, and no half character at the end. */
export const beginning = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
