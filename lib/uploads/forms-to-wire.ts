import type { ResultWire } from '#lib/contract/schemas';
import type { SmallForms } from '#lib/db/schema';
import { storage } from '#lib/storage/store';

export type WireForms = Pick<ResultWire, 'preview_url' | 'renditions' | 'peaks'>;

/** The smaller forms of a stored file, as they are shown; nothing of one that waits for its own. */
export function formsToWire(stored: SmallForms | null): WireForms {
  const { renditions, peaks } = stored ?? {};
  const forms = renditions?.map(({ key, contentType, width, height }) => ({
    url: storage().url(key),
    content_type: contentType as 'image/webp' | 'video/mp4',
    width,
    height,
  }));
  return {
    ...(forms?.[0] && { preview_url: forms[0].url }),
    ...(forms && { renditions: forms }),
    ...(peaks && { peaks }),
  };
}
