/** The header in which a page is told its own address: layouts of Next know none, and a redirect to the sign-in page wants it. */
export const PAGE_ADDRESS = 'pomona-page-address';

/** The address that a person has of a page, of the one that it is asked for at: the router in the browser adds to it. */
export function pageAddressOf(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s, 2);
  const asked = new URLSearchParams(query);
  asked.delete('_rsc');
  return asked.size ? `${path}?${asked}` : path;
}
