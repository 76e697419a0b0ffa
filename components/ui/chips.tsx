'use client';

import { useId, type AriaAttributes, type ReactNode } from 'react';

interface Chip {
  value: string;
  label: ReactNode;
  /** Short text after the label, such as the effect on the price. */
  effect?: string | undefined;
}

/** Radio buttons as chips in a row that wraps, for choices with a note on each. */
export function Chips({
  label,
  chips,
  value,
  onValueChange,
  ...described
}: {
  label: string;
  chips: readonly Chip[];
  value: string;
  onValueChange: (value: string) => void;
} & Pick<AriaAttributes, 'aria-describedby' | 'aria-invalid'>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} {...described} className="flex flex-wrap gap-1.5">
      {chips.map(chip => (
        <label
          key={chip.value}
          className="figures relative inline-flex min-h-8 items-center gap-1.5 rounded-full border border-line px-3 text-sm text-soft transition-colors select-none hover:border-edge hover:text-ink has-checked:border-ink has-checked:bg-ink has-checked:text-paper has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink pointer-coarse:min-h-11"
        >
          <input
            type="radio"
            name={name}
            value={chip.value}
            checked={chip.value === value}
            aria-describedby={chip.effect && `${name}-${chip.value}`}
            onChange={() => onValueChange(chip.value)}
            className="peer absolute inset-0 appearance-none rounded-full outline-none"
          />
          {chip.label}
          {chip.effect && (
            <span id={`${name}-${chip.value}`} aria-hidden className="text-xs text-faint peer-checked:text-paper/75">
              {chip.effect}
            </span>
          )}
        </label>
      ))}
    </div>
  );
}
