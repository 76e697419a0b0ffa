// without zod: forms say the same as the contract

/** How many images a character may have beside its portrait. */
export const MORE_IMAGES = 7;

/** The voice of a character is trimmed to this. */
export const VOICE_SECONDS = 10;

/** A reference that is heard is trimmed to this. */
export const CLIP_SECONDS = 15;

/** Characters of the name of a character or a reference. */
export const CAST_NAME_LENGTH = 50;

/** Characters of what is written about one. */
export const ABOUT_LENGTH = 500;
