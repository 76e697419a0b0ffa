// without zod: pages say the same as the contract

/** Most requests in a collection. */
export const COLLECTION_SIZE = 1_000;

/** Most requests in a zip whose address names them: short enough for the address line of any proxy. */
export const ZIP_SIZE = 200;
