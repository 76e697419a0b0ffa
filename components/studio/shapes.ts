import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Whether a token is an aspect ratio, such as `16:9`. */
export const isRatio = (token: string): boolean => /^\d+:\d+$/.test(token);

/** Returns the field that sets a model's aspect ratio, and its tokens; undefined if there is none. */
export const shapesOf = ({ options }: Pick<CatalogEntry, 'options'>) =>
  Object.entries(options).find(([, tokens]) => tokens.every(isRatio));
