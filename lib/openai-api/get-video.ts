import { AppError } from '#lib/errors';
import { getReadable, type Readable } from '#lib/generations/read';

/**
 * Returns the account's request for a video, or its refused submit. Throws `request_not_found`, also for another media
 * type and for a deleted request, which is not listed either.
 */
export async function getVideo(accountId: string, id: string): Promise<Readable> {
  const found = await getReadable(accountId, id);
  if (found.type === 'video' && !found.removedAt) return found;
  throw new AppError('request_not_found', 'No video with this id belongs to the account.');
}
