import type { RequestWire } from '#lib/contract/schemas';

const DAY_MS = 86_400_000;

export const momentOf = (time: string): string =>
  new Date(time).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });

export const isOver = (time: string): boolean => Date.parse(time) <= Date.now();

/** Returns how long media are still stored, in a few words; `isShort` is for the narrowest places. */
export function expiryOf(expiresAt: string, { isShort = false } = {}): string {
  const left = Date.parse(expiresAt) - Date.now();
  if (left <= 0) return 'Expired';
  // kept results expire in the year 9999
  if (left > 1000 * DAY_MS) return 'Kept';
  const hours = Math.floor(left / 3_600_000);
  const days = Math.ceil(left / DAY_MS);
  if (isShort) return hours < 1 ? '< 1 h' : hours < 48 ? `${hours} h` : `${days} d`;
  if (hours < 1) return 'Under an hour left';
  if (hours < 48) return `${hours} h left`;
  return `${days} days left`;
}

export const clockOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Returns the gems that were charged and not refunded. */
export const costOf = ({ billing }: Pick<RequestWire, 'billing'>): number =>
  billing.gems_charged - (billing.gems_refunded ?? 0);

/** Returns an approximate duration. */
export function spanOf(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
