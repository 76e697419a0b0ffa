// free of zod: forms import these limits too

/** Maximum number of images of a character beside its portrait. */
export const MORE_IMAGES = 7;

/** Seconds to which a character's voice is trimmed. */
export const VOICE_SECONDS = 10;

/** Seconds to which an audio reference is trimmed. */
export const CLIP_SECONDS = 15;

/** Maximum length of the name of a character or reference, in characters. */
export const CAST_NAME_LENGTH = 50;

/** Maximum length of the description of a character or reference, in characters. */
export const ABOUT_LENGTH = 500;
