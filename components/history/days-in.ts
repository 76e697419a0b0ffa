const DAY_MS = 86_400_000;

/** A quarter of an hour. In every time zone, days begin on such a boundary. */
const QUARTER_MS = 900_000;

/** Returns a function that names the day of a time in a time zone. Cached, because a long list repeats its days. */
export function daysIn(timeZone: string, now = Date.now()): (time: string) => string {
  const { day, dayOfYear, said } = wordsIn(timeZone);
  const today = dayOfYear.format(now);
  let yesterday = today;
  // when clocks change, a day has 23 or 25 hours
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
  /** Cached names by quarter of an hour: with the year, and without. */
  said: new Map<number, string[]>(),
});
