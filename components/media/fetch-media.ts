/** The file was there once. */
export class FileGone extends Error {}

/** The bytes behind an address of media. The page's own origin has them too, where MEDIA_URL is another one. */
export async function fetchMedia(url: string): Promise<Blob> {
  const { pathname } = new URL(url, location.href);
  const response = await fetch(pathname);
  // a bucket that may not say what it has not answers 403
  if ([403, 404, 410].includes(response.status)) throw new FileGone('The file is gone.');
  if (!response.ok) throw new Error('The file could not be loaded. Try again.');
  return response.blob();
}
