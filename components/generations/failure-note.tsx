import type { ComponentProps } from 'react';
import { TriangleAlert } from 'lucide-react';
import { cn } from '#components/ui/cn';
import { withRefund } from '#components/generations/with-refund';
import { InPlace, onDemand } from '#components/ui/on-demand';

const FailureAdvice = onDemand(async () => (await import('#components/generations/failure-advice')).FailureAdvice);

/** Says what failed, and what that means for the user. */
export function FailureNote({
  message,
  gemsRefunded,
  className,
  ...rest
}: ComponentProps<typeof FailureAdvice> & { gemsRefunded?: number | undefined; className?: string }) {
  return (
    <div className={cn('grid content-center-safe gap-2 rounded-md bg-danger/8 p-5 text-sm', className)}>
      <p className="flex gap-2 font-medium wrap-anywhere text-danger">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        {withRefund(message, gemsRefunded)}
      </p>
      <InPlace>
        <FailureAdvice {...rest} message={message} />
      </InPlace>
    </div>
  );
}
