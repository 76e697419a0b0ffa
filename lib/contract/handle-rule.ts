// free of zod: the browser checks handles while the user types

export const HANDLE_LENGTH = 15;

export const HANDLE_RULE = `1 to ${HANDLE_LENGTH} lowercase letters, digits, underscores or dashes, starting with a letter, and not image1, image2 and so on`;

/** Source of the regular expression of a handle. */
export const HANDLE_LETTERS = `[a-z][a-z0-9_-]{0,${HANDLE_LENGTH - 1}}`;

/** Pattern of a handle; `image` with a number means an image of the request itself. */
export const HANDLE = new RegExp(String.raw`^(?!image\d+$)${HANDLE_LETTERS}$`);
