import { AppError } from '#lib/errors';
import { isUuid } from '#lib/ids';
import { readFrame, type Frame } from '#lib/life/frames';

/** Returns the latest preview frame of a live request. Throws `request_not_found` when there is none. */
export async function readGenerationFrame(accountId: string, id: string): Promise<Frame> {
  const frame = isUuid(id) ? await readFrame(accountId, id) : null;
  if (frame) return frame;
  throw new AppError(
    'request_not_found',
    'This request shows nothing yet, is final, or does not belong to the account.',
  );
}
