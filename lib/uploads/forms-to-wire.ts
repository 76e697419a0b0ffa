import type { ResultWire } from '#lib/contract/schemas';
import type { SmallForms } from '#lib/db/schema';
import { storage } from '#lib/storage/store';

export type WireForms = Pick<ResultWire, 'preview_url' | 'renditions' | 'peaks'>;

/** Returns the smaller forms of a stored file as the API shows them; empty until they are made. */
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
