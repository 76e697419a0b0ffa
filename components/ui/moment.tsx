'use client';

import { useIsListening } from '#components/ui/use-is-listening';

const DAY_MS = 86_400_000;
/** Time zone of a format; by default that of the machine. */
type Zone = 'UTC' | undefined;

/** Creates a format on first use: each takes a phone ten milliseconds. */
function formatOf(options: Intl.DateTimeFormatOptions): (date: Date, timeZone?: Zone) => string {
  const made = new Map<Zone, Intl.DateTimeFormat>();
  return (date, timeZone) => {
    const format = made.get(timeZone) ?? new Intl.DateTimeFormat('en', { ...options, ...(timeZone && { timeZone }) });
    made.set(timeZone, format);
    return format.format(date);
  };
}

const day = formatOf({ day: 'numeric', month: 'short', year: 'numeric' });
const minute = formatOf({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const whole = formatOf({ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
const exact = formatOf({ dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' });

const STEPS = [
  { unit: 'second', ms: 1_000, below: 60_000 },
  { unit: 'minute', ms: 60_000, below: 3_600_000 },
  { unit: 'hour', ms: 3_600_000, below: DAY_MS },
  { unit: 'day', ms: DAY_MS, below: 14 * DAY_MS },
] as const;

const FORMATS = {
  day,
  /** Includes the year if it is not the current one. */
  minute: (date: Date, timeZone: Zone) =>
    (date.getFullYear() === new Date().getFullYear() ? minute : whole)(date, timeZone),
  whole,
  distance: (date: Date, timeZone: Zone) => {
    const ms = date.getTime() - Date.now();
    const step = STEPS.find(({ below }) => Math.abs(ms) < below);
    if (!step) return day(date, timeZone);
    if (step.unit === 'second') return 'just now';
    const count = Math.round(Math.abs(ms) / step.ms);
    const span = `${count} ${step.unit}${count === 1 ? '' : 's'}`;
    return ms < 0 ? `${span} ago` : `in ${span}`;
  },
};

/**
 * A point in time in short form; the exact time is its title on hover. The server does not know the user's time zone,
 * so times are in UTC until the page is hydrated.
 */
export function Moment({
  at,
  as = 'distance',
  className,
}: {
  at: string;
  as?: keyof typeof FORMATS;
  className?: string;
}) {
  const date = new Date(at);
  const zone = useIsListening() ? undefined : 'UTC';
  return (
    <time
      dateTime={at}
      onPointerEnter={({ currentTarget }) => (currentTarget.title = exact(date))}
      className={className}
      suppressHydrationWarning
    >
      {FORMATS[as](date, zone)}
    </time>
  );
}
