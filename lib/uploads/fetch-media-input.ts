import { join } from 'node:path';
import type { MediaKind } from '#lib/media-kind';
import { safeFetch, type SafeFetchOptions } from '#lib/media/safe-fetch';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import { keepInput } from '#lib/uploads/keep-input';
import { errandOf, inField, type MediaField, type MediaInput } from '#lib/uploads/media-input';
import { MAX_UPLOAD_BYTES } from '#lib/uploads/upload-ticket';

export interface FetchOptions extends MediaField {
  network?: SafeFetchOptions['network'];
}

export const FETCH_MS = 60_000;

/**
 * Fetches an https address into a stored input of the account, of the kind that the field takes. Refusals are
 * `AppError`s that name the field and the reason. Waits however long for its turn to fetch, unless `patient` is false.
 */
export function fetchMediaInput(
  accountId: string,
  address: string,
  kind: MediaKind,
  { network, ...options }: FetchOptions,
): Promise<MediaInput> {
  const field = { patient: true, ...options };
  return inField(field, () =>
    inTemporaryFolder(async folder => {
      const path = join(folder, 'input');
      const errand = errandOf(accountId, field);
      await safeFetch(address, { ...errand, to: path, maxBytes: MAX_UPLOAD_BYTES, timeoutMs: FETCH_MS, network });
      return keepInput({ accountId, path }, kind, field);
    }),
  );
}
