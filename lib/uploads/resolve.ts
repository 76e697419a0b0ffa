import type { MediaKind } from '#lib/media-kind';
import { checkMediaValue } from '#lib/uploads/check-media-value';
import { fetchMediaInput, type FetchOptions } from '#lib/uploads/fetch-media-input';
import type { MediaInput } from '#lib/uploads/media-input';

/** Turns what a media field holds into a stored file of the kind that the field takes, fetching it where it has to be. */
export async function resolveMediaInput(
  accountId: string,
  value: unknown,
  kind: MediaKind,
  options: FetchOptions,
): Promise<MediaInput> {
  const checked = await checkMediaValue(accountId, value, kind, options);
  return 'input' in checked
    ? checked.input
    : fetchMediaInput(accountId, checked.remote, kind, { patient: false, ...options });
}
