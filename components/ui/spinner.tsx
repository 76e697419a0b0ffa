import { cn } from '#components/ui/cn';

/** Shows that work of unknown duration is in progress. Pass `label` if no text beside it says so. */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  return (
    <span role={label ? 'status' : undefined} aria-label={label} className={cn('spinner', className)}>
      <svg
        viewBox="0 0 16 16"
        className="size-4 animate-spin"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        aria-hidden
      >
        <circle cx="8" cy="8" r="6" opacity=".25" />
        <path d="M8 2a6 6 0 0 1 6 6" strokeLinecap="round" />
      </svg>
    </span>
  );
}
