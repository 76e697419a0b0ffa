'use client';

const DAY_MS = 86_400_000;
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const minute = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' });
const distance = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const STEPS = [
  { unit: 'second', ms: 1_000, below: 60_000 },
  { unit: 'minute', ms: 60_000, below: 3_600_000 },
  { unit: 'hour', ms: 3_600_000, below: DAY_MS },
  { unit: 'day', ms: DAY_MS, below: 14 * DAY_MS },
] as const;

const FORMATS = {
  day: (date: Date) => day.format(date),
  minute: (date: Date) => minute.format(date),
  distance: (date: Date) => {
    const ms = date.getTime() - Date.now();
    const step = STEPS.find(({ below }) => Math.abs(ms) < below);
    if (!step) return day.format(date);
    return step.unit === 'second' ? 'just now' : distance.format(Math.round(ms / step.ms), step.unit);
  },
};

/** A point in time, short; the exact one is its title. It speaks the time zone of where it is drawn. */
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
    <time dateTime={at} title={exact.format(date)} className={className} suppressHydrationWarning>
      {FORMATS[as](date)}
    </time>
  );
}
