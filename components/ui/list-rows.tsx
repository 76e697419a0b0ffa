import { Skeleton } from '#components/ui/skeleton';

/** Placeholder of a list: in each row a name, a line about it, and something at its end. */
export const ListRows = () => (
  <div className="unmeasured border-b">
    {['w-36', 'w-52', 'w-44', 'w-32'].map(width => (
      <div key={width} className="flex items-center justify-between gap-6 border-t py-4">
        <div className="grid grow gap-2.5">
          <Skeleton className={`h-4 ${width}`} />
          <Skeleton className="h-3 w-3/5" />
        </div>
        <Skeleton className="h-8 w-16 shrink-0" />
      </div>
    ))}
  </div>
);
