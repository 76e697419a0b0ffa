/** Request header with the page's address, which layouts of Next do not know and the redirect to sign in needs. */
export const PAGE_ADDRESS = 'pomona-page-address';

/** Returns the address that the user sees for a requested URL, without the parameter that Next's client router adds. */
export function pageAddressOf(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s, 2);
  const asked = new URLSearchParams(query);
  asked.delete('_rsc');
  return asked.size ? `${path}?${asked}` : path;
}
