const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/**
 * The days of times, in the words of `daysIn`, as one says them where the code runs; without `Intl`, whose first use takes a phone
 * 60 ms. In a list many times of one day follow each other: it is put into words once.
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

/** Hours go on into other days, whatever clocks do there. */
const startOfDay = (at: number, later = 0): number => new Date(at).setHours(24 * later, 0, 0, 0);
