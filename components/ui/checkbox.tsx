'use client';

import type { ComponentProps } from 'react';
import { cn } from '#components/ui/cn';

/** A checkbox and its label as one target. Without a visible label, pass `aria-label`. */
export function Checkbox({ label, className, ...rest }: Omit<ComponentProps<'input'>, 'type'> & { label?: string }) {
  return (
    <label
      className={cn(
        'inline-flex items-start gap-2.5 text-sm has-disabled:text-faint pointer-coarse:py-[0.6875rem]',
        className,
      )}
    >
      <span className="relative mt-0.5 grid size-4.5 shrink-0">
        <input
          type="checkbox"
          className="peer size-full appearance-none rounded-sm border border-edge bg-raised transition-colors checked:border-accent checked:bg-accent enabled:hover:border-ink disabled:opacity-50"
          {...rest}
        />
        <svg
          viewBox="0 0 18 18"
          fill="none"
          aria-hidden
          className="pointer-events-none absolute inset-0 hidden stroke-on-accent peer-checked:block forced-colors:stroke-[CanvasText]"
        >
          <path d="m4.5 9.3 3 3 6-6.6" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
        </svg>
      </span>
      {label && <span className="self-baseline">{label}</span>}
    </label>
  );
}
