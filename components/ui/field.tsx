'use client';

import { useId, type ReactNode } from 'react';
import { cn } from '#components/ui/cn';
import { Slot } from '#components/ui/slot';
import { FieldError } from '#components/ui/field-error';

type FieldProps = {
  label: ReactNode;
  /** A single control, which is given the id, the description and the invalid mark. */
  children: ReactNode;
  hint?: ReactNode;
  error?: string;
  required?: boolean;
  /** Shown at the end of the label's line: a counter, a reset, a price. */
  aside?: ReactNode;
  className?: string;
};

export function Field({ label, children, hint, error, required, aside, className }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={cn('grid content-start gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
          {required && <span className="font-normal text-faint"> · required</span>}
        </label>
        {aside && <span className="figures text-xs text-faint">{aside}</span>}
      </div>
      <Slot
        id={id}
        aria-describedby={described || undefined}
        aria-invalid={error ? true : undefined}
        aria-required={required}
      >
        {children}
      </Slot>
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-faint">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
