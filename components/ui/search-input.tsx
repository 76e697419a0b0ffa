'use client';

import type { ComponentProps } from 'react';
import { Search } from 'lucide-react';
import { cn } from '#components/ui/cn';
import { Input } from '#components/ui/input';

/** A text field for search words. */
export function SearchInput({ className, ...rest }: Omit<ComponentProps<typeof Input>, 'type'>) {
  return (
    <span className={cn('relative', className)}>
      <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-faint" aria-hidden />
      <Input type="search" maxLength={200} {...rest} className="pl-9" />
    </span>
  );
}
