'use client';

import { useId, useState } from 'react';
import { SlidersHorizontal } from 'lucide-react';
import { FieldEditor, type FieldChoice } from '#components/workflows/field-editor';
import { Button } from '#components/ui/button';
import { Checkbox } from '#components/ui/checkbox';
import type { ImportChoicesWire, ProposalWire } from '#lib/contract/engine-schemas';

/** What stands for itself in every architecture. */
const COMMON: Record<string, string> = {
  prompt: 'Prompt',
  seed: 'Seed',
  width: 'Width, by size and aspect ratio',
  height: 'Height, by size and aspect ratio',
  frames: 'Number of frames, by the length',
  fps: 'Frames per second',
  duration: 'Length',
  image: 'Reference pictures',
  first_image: 'First frame',
  last_image: 'Last frame',
  video: 'Source film',
  audio: 'Sound',
};

/** A value of the workflow: ticked it is a field. */
export function FieldRow({
  proposal,
  choice,
  isOn,
  onChange,
}: {
  proposal: ProposalWire;
  choice: NonNullable<ImportChoicesWire['fields']>[string] | undefined;
  isOn: boolean;
  onChange: (choice: NonNullable<ImportChoicesWire['fields']>[string]) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const editorId = useId();
  const { field, value, binding } = proposal;
  const chosen: FieldChoice = choice || {};
  const whole = { ...field, ...chosen.field };
  const name = chosen.name ?? proposal.name;
  const title = String(whole.title ?? COMMON[proposal.name] ?? words(name));
  const places = binding.to.map(({ class: node, input, title }) => `${title ?? node}.${input}`).join(', ');
  return (
    <li className="grid gap-3 border-t py-3 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-1">
        <Checkbox
          aria-label={`Expose ${title}`}
          checked={isOn}
          onChange={event => onChange(event.target.checked ? chosen : false)}
        />
        <div className="-mt-px grid min-w-0 grow basis-48 gap-0.5">
          <p className="flex flex-wrap items-baseline gap-x-2.5 text-sm">
            <span className={isOn ? 'font-medium' : 'text-soft'}>{title}</span>
            {field && <code className="font-mono text-xs text-faint">{name}</code>}
          </p>
          <p className="text-xs break-words text-faint">
            {isOn ? ruleOf(whole, value, binding.optional) : `always ${shown(value)}`} · {places}
          </p>
        </div>
        {field && isOn && (
          <Button
            size="sm"
            tone="ghost"
            aria-expanded={isOpen}
            aria-controls={editorId}
            onClick={() => setOpen(!isOpen)}
          >
            <SlidersHorizontal className="size-4" aria-hidden />
            {isOpen ? 'Done' : 'Change'}
            <span className="sr-only"> {title}</span>
          </Button>
        )}
      </div>
      {field && isOn && isOpen && (
        <FieldEditor id={editorId} proposal={proposal} field={field} choice={chosen} onChange={onChange} />
      )}
    </li>
  );
}

/** What a field takes, in a line. */
function ruleOf(field: Record<string, unknown>, value: ProposalWire['value'], optional: boolean | undefined): string {
  const { minimum, maximum, multipleOf } = field;
  const choices = Array.isArray(field.enum) ? (field.enum as string[]) : null;
  const given = 'default' in field ? field.default : value;
  if (optional !== undefined || /\.(png|jpe?g|webp|mp4|wav|mp3)$/i.test(String(value)))
    return optional ? 'a file, optional' : 'a file, needed';
  if (choices) return `one of ${choices.length}, ${shown(given)} unless chosen`;
  if (typeof given === 'boolean') return `on or off, ${given ? 'on' : 'off'} unless chosen`;
  if (typeof given === 'string') return `text, ${given ? `${shown(given)} unless given` : 'empty unless given'}`;
  const range = minimum !== undefined || maximum !== undefined ? ` from ${shown(minimum)} to ${shown(maximum)}` : '';
  return `${multipleOf === 1 ? 'whole number' : 'number'}${range}, ${shown(given)} unless given`;
}

const shown = (value: unknown): string => {
  const text = value === undefined ? 'any' : String(value);
  return text.length > 40 ? `“${text.slice(0, 40)}…”` : typeof value === 'string' ? `“${text}”` : text;
};

const words = (name: string): string => {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
