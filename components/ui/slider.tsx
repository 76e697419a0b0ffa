'use client';

import { useState, type ComponentProps } from 'react';
import { cn } from '#components/ui/cn';

type SliderProps = Omit<ComponentProps<'input'>, 'type' | 'min' | 'max'> & {
  min: number;
  max: number;
  /** How the value reads beside the slider and to a screen reader, e.g. `n => n + ' s'`. */
  format?: (value: number) => string;
};

/** A range input with its value beside it. Controlled (`value`) or not (`defaultValue`), like any input. */
export function Slider({ format = String, className, value, defaultValue, onChange, ...rest }: SliderProps) {
  const [own, setOwn] = useState(Number(defaultValue ?? value ?? rest.min));
  const text = format(value === undefined ? own : Number(value));
  return (
    <span className={cn('flex items-center gap-4', className)}>
      <input
        type="range"
        className="range"
        aria-valuetext={text}
        {...(value === undefined ? { defaultValue } : { value })}
        onChange={event => {
          setOwn(event.target.valueAsNumber);
          onChange?.(event);
        }}
        {...rest}
      />
      <span className="figures min-w-10 shrink-0 text-right text-sm text-soft" aria-hidden>
        {text}
      </span>
    </span>
  );
}
