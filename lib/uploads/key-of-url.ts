import { env } from '#lib/env';
import { isMediaKey } from '#lib/storage/media-key';

/** The storage key that an address of this deployment's own media names; null for every other address. */
export function keyOfUrl(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const own = url.origin === env().BASE_URL || url.origin === env().MEDIA_URL;
  if (!own || url.username || url.password || !url.pathname.startsWith('/media/')) return null;
  const key = url.pathname.slice('/media/'.length);
  return isMediaKey(key) ? key : null;
}
