/** Returns a random 128-bit key. `crypto.randomUUID` is unavailable in pages that are neither https nor localhost. */
export const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
