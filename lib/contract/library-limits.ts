// without zod: pages say the same as the contract

/** Most requests in a collection. */
export const COLLECTION_SIZE = 1_000;

/** Most requests in a zip whose address names them: short enough for the address line of any proxy. */
export const ZIP_SIZE = 200;

/** Characters of the name of a collection, a preset or a style. */
export const NAME_LENGTH = 80;

/** Characters of what is written about one. */
export const NOTES_LENGTH = 5_000;
