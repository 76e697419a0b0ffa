import type { MediaKind } from '#lib/media-kind';
import { checkMediaValue } from '#lib/uploads/check-media-value';
import { fetchMediaInput, type FetchOptions } from '#lib/uploads/fetch-media-input';
import type { MediaInput } from '#lib/uploads/media-input';

/** Resolves a media field's value to a stored file of the kind that the field takes, fetching it if necessary. */
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
