/** How wide the gallery is, in pixels, and in whose time zone its days are. */
interface GalleryFrame {
  width: number;
  zone: string;
}

/** What the server took the frame for. */
export interface ServedFrame {
  width: number;
  /** The days of what came with the document, by its times: the page comes to life in the same words. */
  days: ReadonlyMap<string, string>;
}

/** The cookie that remembers the frame of this browser, so that the server lays the first rows as they will stay. */
export const FRAME_COOKIE = 'gallery';

/** What most phones have; of another window nothing is known before it says so. */
const PHONE = 372;

/** The frame that a cookie holds. Without one it is a guess; width 0 is none. */
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

/** Browser only. */
export function rememberFrame(width: number): void {
  const value = encodeURIComponent(`${width} ${zoneNow()}`);
  document.cookie = `${FRAME_COOKIE}=${value}; path=/history; samesite=lax; max-age=31536000`;
}

/** The zone by its distance from UTC, such as +05:30: the first use of `Intl`, which knows its name, takes a phone 60 ms. */
export const zoneNow = (east = -new Date().getTimezoneOffset()): string =>
  `${east < 0 ? '-' : '+'}${new Date(Math.abs(east) * 60_000).toISOString().slice(11, 16)}`;
