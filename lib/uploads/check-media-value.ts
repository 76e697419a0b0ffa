import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaKind } from '#lib/media-kind';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import { keepInput, ownInput, takeRow } from '#lib/uploads/keep-input';
import { inField, type MediaField, type MediaInput } from '#lib/uploads/media-input';
import { readMediaValue } from '#lib/uploads/read-media-value';

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
