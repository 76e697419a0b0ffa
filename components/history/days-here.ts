const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/**
 * Returns a function that names the day of a time as `daysIn` does, in the local time zone. It avoids `Intl`, whose
 * first use takes 60 ms on a phone, and remembers the last day, because consecutive times of a list often share one.
 */
export function daysHere(now = Date.now()): (time: string) => string {
  let [from, to, said] = [0, 0, ''];
  return time => {
    const at = Date.parse(time);
    if (at < from || at >= to) {
      [from, to] = [startOfDay(at), startOfDay(at, 1)];
      said = say(from, now);
    }
    return said;
  };
}

function say(day: number, now: number): string {
  if (day === startOfDay(now)) return 'Today';
  if (day === startOfDay(now, -1)) return 'Yesterday';
  const date = new Date(day);
  const year = date.getFullYear();
  const short = `${MONTHS[date.getMonth()]} ${date.getDate()}`;
  return year === new Date(now).getFullYear() ? `${WEEKDAYS[date.getDay()]}, ${short}` : `${short}, ${year}`;
}

/** Start of a local day. `setHours` carries hours over into other days correctly across clock changes. */
const startOfDay = (at: number, later = 0): number => new Date(at).setHours(24 * later, 0, 0, 0);
