import { cn } from '#components/ui/cn';

/** Progress from 0 to 1; indeterminate without `value`. */
export function Progress({ value, label, className }: { value?: number; label: string; className?: string }) {
  return <progress aria-label={label} value={value} max={1} className={cn('progress', className)} />;
}
