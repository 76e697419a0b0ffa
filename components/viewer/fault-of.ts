import { isNotFound } from '#lib/client/or-gone';

/** Returns why a request did not load. */
export const faultOf = (error: Error): string =>
  isNotFound(error) ? 'It was deleted, or never existed.' : error.message;
