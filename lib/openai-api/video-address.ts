import { AppError, invalid } from '#lib/errors';
import { toWire } from '#lib/generations/to-wire';
import { getVideo } from '#lib/openai-api/get-video';

/** Returns the URL of a video or of its thumbnail. Throws `request_not_found`, or `not_found` without a result. */
export async function videoAddress(accountId: string, id: string, variant: string | null): Promise<string> {
  if (variant !== null && !['video', 'thumbnail'].includes(variant))
    throw invalid('invalid_request', [{ path: '/variant', message: 'The variant must be video or thumbnail.' }]);
  const { result, status } = toWire(await getVideo(accountId, id));
  const address = variant === 'thumbnail' ? result?.preview_url : result?.url;
  if (!address) throw new AppError('not_found', `There is no content: the video is ${status}.`);
  return address;
}
