// free of zod: pages import these limits too

/** Maximum number of requests in a collection. */
export const COLLECTION_SIZE = 1_000;

/** Maximum number of requests in a zip whose URL names them: the URL stays short enough for any proxy. */
export const ZIP_SIZE = 200;

/** Maximum length of the name of a collection, preset or style, in characters. */
export const NAME_LENGTH = 80;

/** Maximum length of the notes of a collection, in characters. */
export const NOTES_LENGTH = 5_000;
