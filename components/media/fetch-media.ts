/** The bytes behind an address of media. */
export async function fetchMedia(url: string): Promise<Blob> {
  const response = await fetch(url);
  if (!response.ok) throw new Error('The file is not there any more.');
  return response.blob();
}
