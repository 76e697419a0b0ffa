/** A key that nobody else makes. `crypto.randomUUID` is kept from pages that are neither https nor localhost. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');
