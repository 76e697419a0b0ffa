import type { ComponentProps } from 'react';
import { cn } from '#components/ui/cn';

/** A titled section of a page below a thin line. */
export function Panel({
  title,
  aside,
  className,
  children,
  ...rest
}: Omit<ComponentProps<'section'>, 'title'> & { title: string; aside?: React.ReactNode }) {
  return (
    <section className={cn('grid grid-cols-1 gap-5 border-t pt-6 first:border-0 first:pt-0', className)} {...rest}>
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 className="font-title text-title">{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
