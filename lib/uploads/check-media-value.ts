import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaKind } from '#lib/media-kind';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import { keepInput, ownInput, takeRow } from '#lib/uploads/keep-input';
import { inField, type MediaField, type MediaInput } from '#lib/uploads/media-input';
import { readMediaValue } from '#lib/uploads/read-media-value';

/** A media field's value as known without the network: a stored file, or an address that may be fetched. */
export type CheckedMedia = { input: MediaInput } | { remote: string };

/**
 * Checks a media field's value (https URL, upload URL, any media URL of the account, data URL) without the network.
 * Files of the account are decoded on first use; data URLs are decoded and stored; of an https URL only the form is
 * checked, as `fetchMediaInput` fetches it later. Refusals are `AppError`s that name the field.
 */
export const checkMediaValue = (
  accountId: string,
  value: unknown,
  kind: MediaKind,
  field: MediaField,
): Promise<CheckedMedia> =>
  inField(field, async () => {
    const found = await readMediaValue(accountId, value);
    if ('remote' in found) return found;
    if ('row' in found) {
      const input = await takeRow(found.row, kind, field);
      const isOwn = input.isNew || input.before !== null;
      return { input: field.own && !isOwn ? await ownInput(accountId, input) : input };
    }
    return inTemporaryFolder(async folder => {
      const path = join(folder, 'input');
      await writeFile(path, found.bytes, { mode: 0o600 });
      return { input: await keepInput({ accountId, path }, kind, field) };
    });
  });
