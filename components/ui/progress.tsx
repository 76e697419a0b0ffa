import { cn } from '#components/ui/cn';

/** How far something is, 0 to 1; without `value` it is under way for an unknown time. */
export function Progress({ value, label, className }: { value?: number; label: string; className?: string }) {
  return <progress aria-label={label} value={value} max={1} className={cn('progress', className)} />;
}
