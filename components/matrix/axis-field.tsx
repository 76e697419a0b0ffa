'use client';

import { useId } from 'react';
import { MOST_VALUES, usualValues, type Axis } from '#components/matrix/axes';
import { Select } from '#components/ui/select';

/** One side of a matrix: what it varies, and with which values. */
export function AxisField({
  label,
  axis,
  axes,
  onChange,
}: {
  label: string;
  /** The axis, with the chosen values. */
  axis: Axis;
  /** All axes, each with every possible value. */
  axes: readonly Axis[];
  onChange: (axis: Axis) => void;
}) {
  const id = useId();
  const all = axes.find(({ field }) => field === axis.field)?.values ?? [];
  const chosen = new Set(axis.values.map(({ value }) => value));
  const toggle = (value: Axis['values'][number]['value'], isOn: boolean) =>
    onChange({ ...axis, values: all.filter(one => (one.value === value ? isOn : chosen.has(one.value))) });
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2.5">
      <legend className="sr-only">{label}</legend>
      <div className="flex items-center gap-3">
        <label htmlFor={id} className="w-14 shrink-0 text-sm text-faint">
          {label}
        </label>
        <Select
          id={id}
          className="min-w-0 grow"
          value={axis.field}
          options={axes.map(({ field, title }) => ({ value: field, label: title }))}
          onChange={({ target }) => onChange(usualValues(axes.find(({ field }) => field === target.value)!))}
        />
      </div>
      <div className="flex flex-wrap gap-1.5">
        {all.map(({ label: name, value }) => {
          const isOn = chosen.has(value);
          return (
            <label
              key={String(value)}
              className="figures relative inline-flex min-h-8 max-w-full items-center rounded-full border border-line px-3 text-sm text-soft transition-colors select-none hover:border-edge hover:text-ink has-checked:border-ink has-checked:bg-ink has-checked:text-paper has-disabled:opacity-50 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink pointer-coarse:min-h-11"
            >
              <input
                type="checkbox"
                checked={isOn}
                disabled={isOn ? chosen.size === 1 : chosen.size >= MOST_VALUES}
                onChange={({ target }) => toggle(value, target.checked)}
                className="absolute inset-0 appearance-none rounded-full outline-none"
              />
              <span dir="auto" className="truncate">
                {name}
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
