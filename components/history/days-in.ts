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
