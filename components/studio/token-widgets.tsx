'use client';

import { useId } from 'react';
import { contextOf, described, fieldOptions, type StudioWidgetProps } from '#components/studio/form-context';
import { cn } from '#components/ui/cn';
import { SegmentedControl } from '#components/ui/segmented-control';
import { Select } from '#components/ui/select';

/** A token as people read it. */
function tokenLabel(name: string, token: string, entry: { id: string; price: { seconds?: { field: string } } }) {
  if (name === 'duration' || name === entry.price.seconds?.field) return `${token} s`;
  return token;
}

export function SegmentsWidget(props: StudioWidgetProps) {
  const { tokens = [], title } = fieldOptions(props);
  const { entry } = contextOf(props);
  return (
    <SegmentedControl
      label={title}
      value={String(props.value)}
      segments={tokens.map(token => ({ value: token, label: tokenLabel(props.name, token, entry) }))}
      onValueChange={props.onChange}
      className="flex"
    />
  );
}

export function ChoiceWidget(props: StudioWidgetProps) {
  const { tokens = [] } = fieldOptions(props);
  const { entry } = contextOf(props);
  return (
    <Select
      id={props.id}
      {...described(props)}
      value={String(props.value)}
      options={tokens.map(token => ({ value: token, label: tokenLabel(props.name, token, entry) }))}
      onChange={event => props.onChange(event.target.value)}
    />
  );
}

const BOX = 22;

/** Aspect ratios as what they are: shapes. */
export function RatioWidget(props: StudioWidgetProps) {
  const { tokens = [], title } = fieldOptions(props);
  const name = useId();
  return (
    <div role="radiogroup" aria-label={title} className="flex flex-wrap gap-1">
      {tokens.map(token => {
        const [width = 1, height = 1] = token.split(':').map(Number);
        const scale = BOX / Math.max(width, height);
        return (
          <label
            key={token}
            className={cn(
              'relative grid w-13 justify-items-center gap-1 rounded-md border border-transparent pt-2 pb-1 text-xs text-faint transition-colors select-none',
              'hover:text-ink has-checked:border-line has-checked:bg-sunk has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              value={token}
              checked={token === props.value}
              onChange={() => props.onChange(token)}
              className="peer absolute inset-0 appearance-none outline-none"
            />
            <svg viewBox="0 0 24 24" className="size-6 peer-checked:text-accent-ink" aria-hidden>
              <rect
                x={12 - (width * scale) / 2}
                y={12 - (height * scale) / 2}
                width={width * scale}
                height={height * scale}
                rx="2"
                fill="currentColor"
                fillOpacity=".18"
                stroke="currentColor"
                strokeWidth="1.4"
              />
            </svg>
            <span className="figures">{token}</span>
          </label>
        );
      })}
    </div>
  );
}
