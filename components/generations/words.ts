const day = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });
const dayOfYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric' });
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
const megabytes = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

const DAY_MS = 86_400_000;

/** The day of a time as one says it; for data that came in the browser. */
export function dayOf(time: string, now = new Date()): string {
  const date = new Date(time);
  const midnight = (of: Date) => new Date(of.getFullYear(), of.getMonth(), of.getDate()).getTime();
  const ago = Math.round((midnight(now) - midnight(date)) / DAY_MS);
  if (ago === 0) return 'Today';
  if (ago === 1) return 'Yesterday';
  return date.getFullYear() === now.getFullYear() ? day.format(date) : dayOfYear.format(date);
}

export const momentOf = (time: string): string => moment.format(new Date(time));

export const isOver = (time: string): boolean => Date.parse(time) <= Date.now();

/** How long media stay, in a few words. */
export function expiryOf(expiresAt: string): string {
  const left = Date.parse(expiresAt) - Date.now();
  if (left <= 0) return 'Expired';
  // what is kept goes in the year 9999
  if (left > 1000 * DAY_MS) return 'Kept';
  const hours = Math.floor(left / 3_600_000);
  if (hours < 1) return 'Under an hour left';
  if (hours < 48) return `${hours} h left`;
  return `${Math.ceil(left / DAY_MS)} days left`;
}

export const clockOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

export const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${megabytes.format(bytes / 1_000_000)} MB`;
