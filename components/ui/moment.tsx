'use client';

const DAY_MS = 86_400_000;
/** A format that is made when it is first wanted: each takes a phone ten milliseconds. */
function formatOf(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  let made: Intl.DateTimeFormat | undefined;
  return date => (made ??= new Intl.DateTimeFormat('en', options)).format(date);
}

const day = formatOf({ day: 'numeric', month: 'short', year: 'numeric' });
const minute = formatOf({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const exact = formatOf({ dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' });

const STEPS = [
  { unit: 'second', ms: 1_000, below: 60_000 },
  { unit: 'minute', ms: 60_000, below: 3_600_000 },
  { unit: 'hour', ms: 3_600_000, below: DAY_MS },
  { unit: 'day', ms: DAY_MS, below: 14 * DAY_MS },
] as const;

const FORMATS = {
  day,
  minute,
  distance: (date: Date) => {
    const ms = date.getTime() - Date.now();
    const step = STEPS.find(({ below }) => Math.abs(ms) < below);
    if (!step) return day(date);
    if (step.unit === 'second') return 'just now';
    const count = Math.round(Math.abs(ms) / step.ms);
    const span = `${count} ${step.unit}${count === 1 ? '' : 's'}`;
    return ms < 0 ? `${span} ago` : `in ${span}`;
  },
};

/** A point in time, short; the exact one is its title when it is pointed at. It speaks the time zone of where it is drawn. */
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
  return (
    <time
      dateTime={at}
      onPointerEnter={({ currentTarget }) => (currentTarget.title = exact(date))}
      className={className}
      suppressHydrationWarning
    >
      {FORMATS[as](date)}
    </time>
  );
}
