/** The file no longer exists. */
export class FileGone extends Error {}

/** Fetches media by its path from the page's own origin, which also serves it when MEDIA_URL is another origin. */
export async function fetchMedia(url: string): Promise<Blob> {
  const { pathname } = new URL(url, location.href);
  const response = await fetch(pathname);
  // a bucket without list permission answers 403 for a missing file
  if ([403, 404, 410].includes(response.status)) throw new FileGone('The file is gone.');
  if (!response.ok) throw new Error('The file could not be loaded. Try again.');
  return response.blob();
}
