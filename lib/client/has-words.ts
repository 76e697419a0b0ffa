/** Whether a text has all of these words somewhere in it, as the server searches: for what was found before it has answered. */
export function hasWords(text: string, words: string): boolean {
  const searched = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every(word => searched.includes(word));
}
