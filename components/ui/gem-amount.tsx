import { cn } from '#components/ui/cn';

/** The symbol for gems. Elements with the accent colour as background set `--gem` to another colour. */
export function GemGlyph({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden className={cn('inline-block size-[0.95em] shrink-0', className)}>
      <path d="M4.4 2h7.2l3.6 4.4L8 14.6.8 6.4Z" className="fill-(--gem,var(--color-accent))" />
      <path d="M4.4 2 .8 6.4h4.4ZM11.6 2 8 2l2.8 4.4Z" className="fill-on-accent/22" />
      <path d="M8 2 5.2 6.4h5.6Z" className="fill-paper/50" />
      <path d="M10.8 6.4h4.4L8 14.6Z" className="fill-on-accent/30" />
    </svg>
  );
}

// `Intl` takes a phone 50 ms to initialise, and every page of the studio shows a balance
const grouped = (whole: number) => String(whole).replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** An amount of gems in tabular figures. `signed` adds a plus sign to positive amounts (ledger rows). */
export function GemAmount({ gems, signed, className }: { gems: number; signed?: boolean; className?: string }) {
  const sign = signed && gems > 0 ? '+' : gems < 0 ? '−' : '';
  return (
    <span className={cn('figures inline-flex items-baseline gap-[0.35em] whitespace-nowrap', className)}>
      <GemGlyph className="translate-y-[0.1em]" />
      <span>
        {sign}
        {grouped(Math.abs(gems))}
        <span className="sr-only"> {Math.abs(gems) === 1 ? 'gem' : 'gems'}</span>
      </span>
    </span>
  );
}
