/** Returns a readable title for a field that has none, made from its name. */
export function toTitle(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
