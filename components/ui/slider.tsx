'use client';

import type { ComponentProps } from 'react';
import { cn } from '#components/ui/cn';

type SliderProps = Omit<ComponentProps<'input'>, 'type' | 'defaultValue'> & { min: number; max: number; value: number };

/** A range input with its value beside it. */
export function Slider({ className, ...rest }: SliderProps) {
  return (
    <span className={cn('flex items-center gap-4', className)}>
      <input type="range" className="range" aria-valuetext={String(rest.value)} {...rest} />
      <span className="figures min-w-10 shrink-0 text-right text-sm text-soft" aria-hidden>
        {rest.value}
      </span>
    </span>
  );
}
