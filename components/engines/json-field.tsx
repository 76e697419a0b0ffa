'use client';

import { useState, type ReactNode } from 'react';
import { Field } from '#components/ui/field';
import { Textarea } from '#components/ui/textarea';

type Json = Record<string, unknown>;

/** An object as text, which may be half written; what is whole is told at once. */
export function JsonField({
  label,
  hint,
  value,
  rows = 8,
  error,
  className,
  onChange,
}: {
  label: string;
  hint?: ReactNode;
  value: Json;
  rows?: number;
  error: string | undefined;
  className?: string;
  onChange: (value: Json) => void;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const fault = draft === null ? undefined : faultOf(draft);
  return (
    <Field label={label} hint={hint} error={fault ?? error} className={className}>
      <Textarea
        rows={rows}
        spellCheck={false}
        className="max-h-96 overflow-auto font-mono text-xs"
        value={draft ?? JSON.stringify(value, null, 2)}
        onChange={event => {
          setDraft(event.target.value);
          if (!faultOf(event.target.value)) onChange(JSON.parse(event.target.value) as Json);
        }}
        // what is whole is shown again as everything else has it
        onBlur={() => fault === undefined && setDraft(null)}
      />
    </Field>
  );
}

/** What keeps a text from being an object. */
function faultOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? undefined : 'It must be an object: { … }.';
  } catch (error) {
    return `It cannot be read as JSON: ${(error as Error).message}.`;
  }
}
