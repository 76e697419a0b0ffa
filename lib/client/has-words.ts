/** Whether a text contains all of these words, as the server searches. Filters old results until the server answers. */
export function hasWords(text: string, words: string): boolean {
  const searched = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every(word => searched.includes(word));
}
