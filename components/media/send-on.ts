'use client';

import { offerCarried, type Intent } from '#components/carry/carried';
import type { MediaKind } from '#lib/media-kind';

/** Uploads what was made of a result in the page, and asks what is to be done with it. */
export async function sendOn(media: MediaKind, file: Blob, name: string, intent: Intent): Promise<void> {
  const { uploadFile } = await import('#lib/client/upload-file');
  const { url } = await uploadFile(new File([file], name, { type: file.type }), { media });
  offerCarried({ carried: { media, url, name }, intent });
}
