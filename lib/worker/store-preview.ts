import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredPreview } from '#lib/db/schema';
import { newId } from '#lib/ids';
import { log } from '#lib/log';
import { isolated } from '#lib/media/isolated';
import { PREVIEW_TYPE } from '#lib/media/preview-type';
import { newMediaKey } from '#lib/storage/media-key';
import type { MediaType } from '#lib/storage/media-types';
import { storage } from '#lib/storage/store';
import { temporaryFolder } from '#lib/process/temporary-folder';

/** Makes what stands for a stored output in a gallery. An output without one is still an output: null, and a line in the log. */
export async function storePreview(key: string, type: MediaType): Promise<StoredPreview | null> {
  await mkdir(temporaryFolder(), { recursive: true });
  const folder = await mkdtemp(join(temporaryFolder(), 'preview-'));
  const to = join(folder, 'preview.jpg');
  try {
    const made = await storage().withFile(key, path => isolated({ do: 'preview', path, type, to }));
    if ('peaks' in made) return made;
    const previewKey = newMediaKey('preview', PREVIEW_TYPE);
    const { bytes } = await storage().put(previewKey, createReadStream(to), PREVIEW_TYPE);
    return { mediaId: newId(), key: previewKey, bytes, ...made };
  } catch (error) {
    log().warn({ err: error, key }, 'no preview of an output');
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
