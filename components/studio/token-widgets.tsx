'use client';

import { useId } from 'react';
import { described, type WidgetProps } from '#components/studio/form-context';
import { hasSourceVideo } from '#components/studio/media-use';
import { Chips } from '#components/ui/chips';
import { cn } from '#components/ui/cn';
import { Select } from '#components/ui/select';
import { priceFactor } from '#lib/catalog/price';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Whether the tokens of a field are seconds. */
export const isSeconds = ({ price }: Pick<CatalogEntry, 'price'>, name: string): boolean =>
  name === 'duration' || name === price.seconds?.field;

const factor = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** Returns the tokens of a field, with the price factor of each if these differ. */
function chipsOf(props: WidgetProps) {
  const { tokens = [] } = props.options;
  const { entry, config } = props.context;
  const factors = tokens.map(token => priceFactor(entry, config, props.name, token));
  const { seconds } = entry.price;
  // the seconds of a source video are priced as well, so that the duration alone scales nothing
  const isPartly = props.name === seconds?.field && seconds.source && hasSourceVideo(entry, config);
  const isPriced = !isPartly && new Set(factors).size > 1;
  return tokens.map((token, index) => ({
    value: token,
    label: isSeconds(entry, props.name) ? `${token} s` : token,
    ...(isPriced && { effect: `×${factor.format(factors[index] ?? 1)}` }),
  }));
}

/** A few tokens, all visible. */
export function ChipsWidget(props: WidgetProps) {
  return (
    <Chips
      {...described(props)}
      label={props.options.title}
      value={String(props.value)}
      chips={chipsOf(props)}
      onValueChange={props.onChange}
    />
  );
}

/** Many tokens, as a select. */
export function ChoiceWidget(props: WidgetProps) {
  return (
    <Select
      id={props.id}
      {...described(props)}
      value={String(props.value)}
      options={chipsOf(props).map(({ value, label, effect }) => ({
        value,
        label: effect ? `${label}  ${effect}` : label,
      }))}
      onChange={event => props.onChange(event.target.value)}
    />
  );
}

const BOX = 22;

/** Aspect ratios, drawn as shapes. */
export function RatioWidget(props: WidgetProps) {
  const { tokens = [], title } = props.options;
  const name = useId();
  return (
    <div role="radiogroup" aria-label={title} {...described(props)} className="flex flex-wrap gap-1">
      {tokens.map(token => {
        const [width = 1, height = 1] = token.split(':').map(Number);
        const scale = BOX / Math.max(width, height);
        return (
          <label
            key={token}
            className={cn(
              'relative grid w-13 justify-items-center gap-1 rounded-md border border-transparent pt-2 pb-1 text-xs text-faint transition-colors select-none',
              'hover:text-ink has-checked:border-ink has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink',
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
