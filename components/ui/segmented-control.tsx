'use client';

import { useId, type ReactNode } from 'react';
import { cn } from '#components/ui/cn';
import { useIsListening } from '#components/ui/use-is-listening';

type Segment = { value: string; label: ReactNode; disabled?: boolean };

/** Radio buttons drawn as one bar: for two to six short choices. */
export function SegmentedControl({
  label,
  segments,
  value,
  onValueChange,
  className,
}: {
  label: string;
  segments: readonly Segment[];
  value: string;
  onValueChange: (value: string) => void;
  className?: string;
}) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      inert={!useIsListening()}
      aria-label={label}
      className={cn('inline-flex max-w-full flex-wrap gap-0.5 rounded-md border border-line bg-sunk p-0.5', className)}
    >
      {segments.map(segment => (
        <label key={segment.value} className="segment">
          <input
            type="radio"
            name={name}
            value={segment.value}
            checked={segment.value === value}
            disabled={segment.disabled}
            onChange={() => onValueChange(segment.value)}
            className="absolute inset-0 appearance-none outline-none"
          />
          {segment.label}
        </label>
      ))}
    </div>
  );
}
