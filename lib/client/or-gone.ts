import { ApiError } from '#client/errors';

/** Whether an error is a 404: the resource was deleted, or never existed. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Treats the 404 of a delete as success: another tab, or an attempt whose response was lost, deleted the resource. */
export const orGone = (deleted: Promise<unknown>): Promise<unknown> =>
  deleted.catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
