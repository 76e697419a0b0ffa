'use client';

import type { ComponentProps } from 'react';
import { cn } from '#components/ui/cn';
import { useIsListening } from '#components/ui/use-is-listening';

/** An on/off control that takes effect immediately. */
export function Switch({
  label,
  className,
  ...rest
}: Omit<ComponentProps<'input'>, 'type' | 'role'> & { label: string }) {
  return (
    <label
      inert={!useIsListening()}
      className={cn(
        'inline-flex items-center gap-3 text-sm has-disabled:text-faint pointer-coarse:min-h-11',
        className,
      )}
    >
      <span className="relative inline-grid h-6 w-10 shrink-0">
        <input
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a native checkbox exposes its own state
          role="switch"
          className="peer size-full appearance-none rounded-full border border-edge bg-sunk transition-colors checked:border-accent checked:bg-accent focus-visible:rounded-full enabled:hover:border-ink disabled:opacity-50"
          {...rest}
        />
        <span className="pointer-events-none absolute top-1 left-1 size-4 rounded-full bg-soft transition-transform peer-checked:translate-x-4 peer-checked:bg-on-accent forced-colors:bg-[CanvasText]!" />
      </span>
      {label}
    </label>
  );
}
