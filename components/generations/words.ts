const DAY_MS = 86_400_000;

/** In no time zone does a day begin within one. */
const QUARTER_MS = 900_000;

/** The days of times as one says them in a time zone. What is said once is known: a long list has many times of one day. */
export function daysIn(timeZone: string, now = Date.now()): (time: string) => string {
  const { day, dayOfYear, said } = wordsIn(timeZone);
  const today = dayOfYear.format(now);
  let yesterday = today;
  // where clocks change, a day has 23 hours, or 25
  while (yesterday === today) yesterday = dayOfYear.format((now -= DAY_MS / 4));
  const year = today.slice(-4);
  return time => {
    const quarter = Math.floor(Date.parse(time) / QUARTER_MS);
    const known = said.get(quarter) ?? [dayOfYear, day].map(format => format.format(quarter * QUARTER_MS));
    said.set(quarter, known);
    const [its, short] = known as [string, string];
    if (its === today) return 'Today';
    if (its === yesterday) return 'Yesterday';
    return its.endsWith(year) ? short : its;
  };
}

const zones = new Map<string, ReturnType<typeof makeWords>>();
function wordsIn(timeZone: string) {
  const words = zones.get(timeZone) ?? makeWords(timeZone);
  zones.set(timeZone, words);
  return words;
}
const makeWords = (timeZone: string) => ({
  day: new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long', timeZone }),
  dayOfYear: new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone }),
  /** By the quarter of an hour: with its year, and without. */
  said: new Map<number, string[]>(),
});

export const momentOf = (time: string): string =>
  new Date(time).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });

export const isOver = (time: string): boolean => Date.parse(time) <= Date.now();

/** How long media stay, in a few words, or in as few as the narrowest place has room for. */
export function expiryOf(expiresAt: string, { isShort = false } = {}): string {
  const left = Date.parse(expiresAt) - Date.now();
  if (left <= 0) return 'Expired';
  // what is kept goes in the year 9999
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

/** About how long something takes. */
export function spanOf(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
