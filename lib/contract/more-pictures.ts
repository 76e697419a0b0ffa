/** How many pictures a character may have beside its portrait. */
export const MORE_PICTURES = 7;
