import { ApiError } from '#client/errors';

/** For what deletes: that it is gone is as good, be it by another tab or by a try whose answer was lost. */
export const orGone = (deleted: Promise<unknown>): Promise<unknown> =>
  deleted.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  });
