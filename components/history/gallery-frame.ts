/** Width of the gallery in pixels, and the time zone of its days. */
interface GalleryFrame {
  width: number;
  zone: string;
}

/** The frame that the server assumed when it rendered the page. */
export interface ServedFrame {
  width: number;
  /** Day names of the first page by creation time, so that hydration renders the same words. */
  days: ReadonlyMap<string, string>;
}

/** Cookie with the frame of this browser, so that the server lays out the first rows without a later shift. */
export const FRAME_COOKIE = 'gallery';

/** Gallery width on most phones, in pixels. The width of other windows is unknown until they report it. */
const PHONE = 372;

/** Returns the frame in a cookie. Without a valid cookie it is a guess, in which width 0 means unknown. */
export function readFrame(cookie: string | undefined, isPhone: boolean): GalleryFrame {
  const [width = '', zone = ''] = (cookie ?? '').split(' ');
  if (/^\d{3,4}$/.test(width) && isZone(zone)) return { width: Number(width), zone };
  return { width: isPhone ? PHONE : 0, zone: 'UTC' };
}

function isZone(name: string): boolean {
  try {
    return Boolean(name && new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** Stores the frame in the cookie. Browser only. */
export function rememberFrame(width: number): void {
  const value = encodeURIComponent(`${width} ${zoneNow()}`);
  document.cookie = `${FRAME_COOKIE}=${value}; path=/history; samesite=lax; max-age=31536000`;
}

/** Returns the UTC offset, such as +05:30. The zone name would need `Intl`, whose first use takes 60 ms on a phone. */
export const zoneNow = (east = -new Date().getTimezoneOffset()): string =>
  `${east < 0 ? '-' : '+'}${new Date(Math.abs(east) * 60_000).toISOString().slice(11, 16)}`;
