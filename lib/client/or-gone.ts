import { ApiError } from '#client/errors';

/** The refusal of what was deleted meanwhile, or never was. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** For what deletes: that it is gone is as good, be it by another tab or by a try whose answer was lost. */
export const orGone = (deleted: Promise<unknown>): Promise<unknown> =>
  deleted.catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
