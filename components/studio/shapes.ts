import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Whether a token is a shape, such as `16:9`. */
export const isRatio = (token: string): boolean => /^\d+:\d+$/.test(token);

/** The field in which a model is told the shape, and the shapes; undefined where it has none. */
export const shapesOf = ({ options }: Pick<CatalogEntry, 'options'>) =>
  Object.entries(options).find(([, tokens]) => tokens.every(isRatio));
