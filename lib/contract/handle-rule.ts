// without zod: the browser judges while somebody types

export const HANDLE_RULE =
  '1 to 15 lowercase letters, digits, underscores or dashes, starting with a letter, and not image1, image2 and so on';

/** The rule of handles; `image` with a number means an image of the request itself. */
export const HANDLE = /^(?!image\d+$)[a-z][a-z0-9_-]{0,14}$/;
