'use client';

import type { ComponentProps } from 'react';
import { cn } from '#components/ui/cn';

export function Input({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  return (
    <input
      type={type}
      className={cn('control', (type === 'number' || type === 'date') && 'figures', className)}
      {...rest}
    />
  );
}
