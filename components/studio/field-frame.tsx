'use client';

import type { ReactNode } from 'react';
import { errorId, hintId, type WidgetProps } from '#components/studio/form-context';
import { cn } from '#components/ui/cn';

/** Widgets that are one element get a `<label>`; radio groups, the toggle and the prompt carry their own names. */
const LABELLED = ['choice', 'range', 'amount', 'seed', 'line', 'lines', 'words'];
const UNNAMED = ['toggle', 'prompt', 'media', 'mediaList'];

/** Everything around the control of a field: title, reset button, description and faults. */
export function FieldFrame({ field, children }: { field: WidgetProps; children: ReactNode }) {
  const { id, name, value, faults, context, options } = field;
  const { widget, group, title, description, base } = options;
  const isTile = group === 'media';
  const look = 'text-xs text-faint';
  return (
    <div className={isTile ? 'contents' : 'grid content-start gap-1.5'} data-field={name}>
      {!UNNAMED.includes(widget) && (
        <span className="flex min-h-5 items-baseline justify-between gap-4">
          {LABELLED.includes(widget) ? (
            <label htmlFor={id} className={look}>
              {title}
            </label>
          ) : (
            <span className={look} aria-hidden>
              {title}
            </span>
          )}
          {group === 'advanced' && base !== undefined && value !== base && (
            <button
              type="button"
              onClick={({ currentTarget }) => {
                context.setField(name, base);
                // the reset button disappears with the change, so the control takes the focus
                currentTarget.closest('[data-field]')?.querySelector<HTMLElement>('input, select, textarea')?.focus();
              }}
              className="text-xs text-faint underline underline-offset-2 hover:text-ink"
            >
              Reset<span className="sr-only"> {title} to its default</span>
            </button>
          )}
        </span>
      )}
      {children}
      <p id={hintId(id)} className={group === 'advanced' ? look : 'sr-only'}>
        {description}
      </p>
      {faults.length > 0 && (
        <p id={errorId(id)} role="alert" className={cn('text-xs font-medium text-danger', isTile && 'basis-full')}>
          {faults.map(asSentence).join(' ')}
        </p>
      )}
    </div>
  );
}

const asSentence = (text: string) => {
  const words = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(words) ? words : `${words}.`;
};
