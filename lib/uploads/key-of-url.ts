import { env } from '#lib/env';
import { isMediaKey } from '#lib/storage/media-key';

/** Whether an address has an origin of this deployment. */
export function isOwnAddress(address: string): boolean {
  const origin = URL.parse(address)?.origin;
  return origin === env().BASE_URL || origin === env().MEDIA_URL;
}

/** Returns the storage key of a media URL of this deployment; null for any other address. */
export function keyOfUrl(address: string): string | null {
  if (!isOwnAddress(address)) return null;
  const { pathname } = new URL(address);
  const key = pathname.startsWith('/media/') ? pathname.slice('/media/'.length) : '';
  return isMediaKey(key) ? key : null;
}
