/** The bytes behind an address of media. The page's own origin has them too, where MEDIA_URL is another one. */
export async function fetchMedia(url: string): Promise<Blob> {
  const { pathname } = new URL(url, location.href);
  const response = await fetch(pathname);
  if (!response.ok) throw new Error('The file is gone.');
  return response.blob();
}
