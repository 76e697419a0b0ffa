'use client';

import type { ComponentProps } from 'react';
import { ChevronDown } from 'lucide-react';
import { cn } from '#components/ui/cn';

type Option = { value: string; label: string };

/** The browser's own select, styled: it works on phones, with any keyboard and inside any form library. */
export function Select({
  options,
  placeholder,
  className,
  ...rest
}: ComponentProps<'select'> & { options: readonly Option[]; placeholder?: string }) {
  return (
    <span className={cn('relative block', className)}>
      <select className="control appearance-none pr-9" {...rest}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-soft"
        aria-hidden
      />
    </span>
  );
}
