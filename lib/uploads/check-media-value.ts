import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaKind } from '#lib/media-kind';
import { parseDataUrl } from '#lib/media/data-url';
import { isLive } from '#lib/media/find-media';
import { checkRemoteAddress } from '#lib/media/remote-address';
import { UnusableMedia } from '#lib/media/unusable-media';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import { storage } from '#lib/storage/store';
import { findStoredMedia } from '#lib/uploads/complete-upload';
import { isInspected, keepInput, requireKind, toInput } from '#lib/uploads/keep-input';
import { isOwnAddress, keyOfUrl } from '#lib/uploads/key-of-url';
import { inField, type MediaField, type MediaInput } from '#lib/uploads/media-input';
import { MAX_UPLOAD_BYTES } from '#lib/uploads/upload-ticket';

/** A media field's value as far as it is known without the network: its file, or an address that may be fetched. */
export type CheckedMedia = { input: MediaInput } | { remote: string };

/**
 * Judges what a media field holds (https URL, upload URL, any media URL of the account's own, data URL) without the network.
 * Own files are decoded with their first use, data URLs decoded and stored; of an https URL only the form is looked at:
 * `fetchMediaInput` brings it in. Refusals are `AppError`s that name the field.
 */
export const checkMediaValue = (
  accountId: string,
  value: unknown,
  kind: MediaKind,
  field: MediaField,
): Promise<CheckedMedia> =>
  inField(field, async () => {
    if (typeof value !== 'string' || !value)
      throw new UnusableMedia('It must be an https URL, an upload URL or a data URL.');
    if (isOwnAddress(value)) return { input: await takeOwn(accountId, value, kind, field) };
    if (/^data:/i.test(value)) return { input: await takeData(accountId, value, kind, field) };
    return { remote: checkRemoteAddress(value).href };
  });

/** A file of this deployment is never fetched: its row says whose it is. */
async function takeOwn(accountId: string, address: string, kind: MediaKind, field: MediaField): Promise<MediaInput> {
  const key = keyOfUrl(address);
  const row = key ? await findStoredMedia(key) : null;
  if (!row || row.accountId !== accountId || !isLive(row)) {
    throw new UnusableMedia(
      'No file of this account is at this address: it was not uploaded yet, has expired, or was deleted.',
    );
  }
  if (!isInspected(row)) return storage().withFile(row.key, path => keepInput(accountId, path, kind, field, row));
  requireKind(row.contentType, kind);
  return toInput(row);
}

const takeData = (accountId: string, value: string, kind: MediaKind, field: MediaField): Promise<MediaInput> =>
  inTemporaryFolder(async folder => {
    const path = join(folder, 'input');
    await writeFile(path, parseDataUrl(value, MAX_UPLOAD_BYTES), { mode: 0o600 });
    return keepInput(accountId, path, kind, field);
  });
