import { cn } from '#components/ui/cn';

/** How far something is, 0 to 1; without `value` it is under way for an unknown time. */
export function Progress({ value, label, className }: { value?: number; label: string; className?: string }) {
  const percent = value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={cn('h-1 overflow-hidden rounded-full bg-ink/10', className)}
    >
      {/* SVG attributes, because the content policy refuses style attributes in the page */}
      <svg
        className={cn('block size-full', percent === undefined && 'animate-pass')}
        preserveAspectRatio="none"
        viewBox="0 0 100 1"
        aria-hidden
      >
        <rect width={percent ?? 50} height="1" className="fill-accent" />
      </svg>
    </div>
  );
}
