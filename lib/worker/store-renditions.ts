import type { SmallForms } from '#lib/db/schema';
import { newId } from '#lib/ids';
import type { MediaKind } from '#lib/media-kind';
import type { Errand } from '#lib/media/fair-gate';
import { isolated } from '#lib/media/isolated';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import type { StoredFiles } from '#lib/worker/stored-files';

/** Makes the renditions of a file in an isolated process and stores them. Throws `UnusableMedia`. */
export const storeRenditions = (
  path: string,
  kind: MediaKind,
  stored: StoredFiles,
  errand?: Errand,
): Promise<SmallForms> =>
  inTemporaryFolder(async folder => {
    const { files, peaks } = await isolated({ do: 'renditions', path, kind, folder }, errand);
    const renditions = await Promise.all(
      files.map(async ({ path, ...facts }) => ({
        mediaId: newId(),
        ...(await stored.put('preview', path, facts.contentType)),
        ...facts,
      })),
    );
    return { ...(renditions.length > 0 && { renditions }), ...(peaks && { peaks }) };
  });
