import type { ReactNode } from 'react';
import { cn } from '#components/ui/cn';

const TONES = {
  neutral: 'text-soft [--dot:var(--color-faint)]',
  live: 'text-accent-ink [--dot:var(--color-accent)]',
  good: 'text-leaf [--dot:var(--color-leaf)]',
  warn: 'text-amber [--dot:var(--color-amber)]',
  bad: 'text-danger [--dot:var(--color-danger)]',
  info: 'text-info [--dot:var(--color-info)]',
};
export type BadgeTone = keyof typeof TONES;

/** A short fact about something; with `dot`, a status. */
export function Badge({
  tone = 'neutral',
  dot,
  children,
  className,
}: {
  tone?: BadgeTone;
  dot?: boolean;
  children: ReactNode;
  className?: string;
}) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 rounded-full border border-current/25 px-2.5 py-px text-xs whitespace-nowrap',
        TONES[tone],
        className,
      )}
    >
      {dot && (
        <span className={cn('size-1.5 rounded-full bg-(--dot)', tone === 'live' && 'animate-breathe')} aria-hidden />
      )}
      {children}
    </span>
  );
}

const STATUSES = {
  queued: { tone: 'info', text: 'Queued' },
  in_progress: { tone: 'live', text: 'In progress' },
  completed: { tone: 'good', text: 'Completed' },
  failed: { tone: 'bad', text: 'Failed' },
  cancelled: { tone: 'neutral', text: 'Cancelled' },
} as const satisfies Record<string, { tone: BadgeTone; text: string }>;

/** Status of a generation, in the same words and colours everywhere. */
export function StatusChip({ status, className }: { status: keyof typeof STATUSES; className?: string }) {
  const { tone, text } = STATUSES[status];
  return (
    <Badge tone={tone} dot className={className}>
      {text}
    </Badge>
  );
}
