'use client';

import type { Carried } from '#components/carry/carried';
import { withReason } from '#components/ui/on-demand';
import type { MediaKind } from '#lib/media-kind';

/** Uploads a file that was made in the browser, and returns it as `Carried`. */
export async function sendOn(media: MediaKind, file: Blob, name: string): Promise<Carried> {
  const { uploadFile } = await import('#lib/client/upload-file').catch(withReason);
  const { url } = await uploadFile(new File([file], name, { type: file.type }), { media });
  return { media, url, name };
}
