/** A key that nobody else makes, of 128 bits. `crypto.randomUUID` is kept from pages that are neither https nor localhost. */
export const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
