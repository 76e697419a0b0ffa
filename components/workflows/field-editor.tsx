'use client';

import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Textarea } from '#components/ui/textarea';
import { useLines } from '#components/ui/use-lines';
import type { ProposalWire } from '#lib/contract/engine-schemas';

export interface FieldChoice {
  name?: string | undefined;
  field?: Record<string, unknown> | undefined;
}

/** Edits the name, texts, limits and options of one field. Fields common to all architectures keep their names. */
export function FieldEditor({
  id,
  proposal,
  field,
  schema,
  choice,
  onChange,
}: {
  id: string;
  proposal: ProposalWire;
  field: Record<string, unknown>;
  /** Schema of the field as currently built, with the defaults where nothing is chosen. */
  schema: Record<string, unknown> | undefined;
  choice: FieldChoice;
  onChange: (choice: FieldChoice) => void;
}) {
  const whole: Record<string, unknown> = { ...field, ...choice.field };
  const set = (key: string, value: unknown) => onChange({ ...choice, field: { ...choice.field, [key]: value } });
  const isOwn = 'description' in field;
  // by the field as found, because the edited default may be empty while the user types
  const isNumber = typeof field.default === 'number';
  const number = (key: 'minimum' | 'maximum' | 'default', label: string, empty: null | undefined) => (
    <Field label={label}>
      <Input
        type="number"
        step="any"
        value={typeof whole[key] === 'number' ? whole[key] : ''}
        placeholder={String((schema ?? field)[key] ?? 'none')}
        onChange={event => set(key, event.target.value === '' ? empty : Number(event.target.value))}
      />
    </Field>
  );
  return (
    <div id={id} className="grid gap-4 rounded-md bg-sunk/60 p-4 sm:grid-cols-3">
      {isOwn && (
        <>
          <Field label="Title">
            <Input
              value={String(whole.title ?? '')}
              maxLength={80}
              onChange={event => set('title', event.target.value || undefined)}
            />
          </Field>
          <Field label="Name" hint="In the API: lowercase letters, digits, _">
            <Input
              value={choice.name ?? proposal.name}
              spellCheck={false}
              onChange={event => onChange({ ...choice, name: event.target.value })}
            />
          </Field>
          <Field label="Description">
            <Input
              value={String(whole.description ?? '')}
              onChange={event => set('description', event.target.value || undefined)}
            />
          </Field>
        </>
      )}
      {isNumber && (
        <>
          {number('minimum', 'Minimum', null)}
          {number('maximum', 'Maximum', null)}
          {number('default', 'Default', undefined)}
        </>
      )}
      {Array.isArray(whole.enum) && (
        <Choices tokens={whole.enum as string[]} onChange={tokens => set('enum', tokens)} />
      )}
      {typeof whole.default === 'string' && (
        <Field label="Default" className="sm:col-span-3">
          <Input value={whole.default} onChange={event => set('default', event.target.value)} />
        </Field>
      )}
    </div>
  );
}

function Choices({ tokens, onChange }: { tokens: readonly string[]; onChange: (tokens: string[]) => void }) {
  const { value, onText } = useLines(tokens, onChange);
  return (
    <Field label="Choices" hint="One per line." className="sm:col-span-2">
      <Textarea
        rows={4}
        spellCheck={false}
        className="max-h-60 overflow-auto font-mono text-xs"
        value={value}
        onChange={event => onText(event.target.value)}
      />
    </Field>
  );
}
