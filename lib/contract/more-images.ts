/** How many images a character may have beside its portrait. */
export const MORE_IMAGES = 7;
