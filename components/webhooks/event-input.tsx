'use client';

import { Checkbox } from '#components/ui/checkbox';
import { FieldError } from '#components/ui/field-error';
import { EVENT_WORDS, EVENTS, type Event } from '#lib/events';

/** Checkboxes for the events that a webhook receives. */
export function EventInput({
  value,
  onChange,
  error,
}: {
  value: readonly Event[];
  onChange: (events: Event[]) => void;
  error?: string | undefined;
}) {
  return (
    <fieldset className="grid gap-2.5">
      <legend className="pb-1.5 text-sm font-medium">Send a message when</legend>
      {EVENTS.map(event => (
        <div key={event} className="grid gap-0.5">
          <Checkbox
            label={event}
            aria-describedby={`about-${event}`}
            aria-invalid={Boolean(error)}
            checked={value.includes(event)}
            onChange={({ target }) =>
              onChange(EVENTS.filter(one => (one === event ? target.checked : value.includes(one))))
            }
            className="font-mono text-[0.8125rem]"
          />
          <span id={`about-${event}`} className="pl-7 text-xs text-faint pointer-coarse:-mt-2">
            {EVENT_WORDS[event]}
          </span>
        </div>
      ))}
      <FieldError>{error && 'Choose at least one event.'}</FieldError>
    </fieldset>
  );
}
