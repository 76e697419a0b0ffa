import { cn } from '#components/ui/cn';

const COLOURS: Record<string, string> = { GET: 'text-info', POST: 'text-leaf', DELETE: 'text-danger' };

/** An HTTP method, coloured by method. */
export function MethodMark({ method, className }: { method: string; className: string }) {
  return (
    <span className={cn('font-mono text-xs font-medium', COLOURS[method] ?? 'text-amber', className)}>{method}</span>
  );
}
