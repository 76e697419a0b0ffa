import { cn } from '#components/ui/cn';

/** Placeholder of loading content, at its final size. Mark the region around it `aria-busy`. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={cn('block animate-breathe rounded-md bg-ink/8', className)} />;
}
