import { AppError } from '#lib/errors';
import { getReadable, type Readable } from '#lib/generations/read';

/**
 * The account's request for a film, or the submit of it that was refused. Throws `request_not_found`, also for a picture and for
 * what was deleted, which no list has either.
 */
export async function getVideo(accountId: string, id: string): Promise<Readable> {
  const found = await getReadable(accountId, id);
  if (found.type === 'video' && !found.removedAt) return found;
  throw new AppError('request_not_found', 'No video with this id belongs to the account.');
}
