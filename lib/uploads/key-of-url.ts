import { env } from '#lib/env';
import { isMediaKey } from '#lib/storage/media-key';

/** Whether an address is one of this deployment, by the origins that it is known under. */
export function isOwnAddress(address: string): boolean {
  const origin = URL.parse(address)?.origin;
  return origin === env().BASE_URL || origin === env().MEDIA_URL;
}

/** The storage key that an address of this deployment's own media names; null for every other address. */
export function keyOfUrl(address: string): string | null {
  if (!isOwnAddress(address)) return null;
  const { pathname } = new URL(address);
  const key = pathname.startsWith('/media/') ? pathname.slice('/media/'.length) : '';
  return isMediaKey(key) ? key : null;
}
