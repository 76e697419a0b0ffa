'use client';

import { useCallback, useEffect, useId, useState, type ReactNode } from 'react';
import { Field } from '#components/ui/field';
import { Textarea } from '#components/ui/textarea';
import { isObject } from '#lib/is-object';

type Json = Record<string, unknown>;

/** Told what is wrong with the text of a field, and when that is over. */
export type OnFault = (id: string, fault: string | undefined) => void;

/** What is wrong with the texts that a form has: none of it is in what the form would send. */
export function useJsonFaults() {
  const [faults, setFaults] = useState<Record<string, string | undefined>>({});
  const onFault = useCallback<OnFault>((id, fault) => setFaults(now => ({ ...now, [id]: fault })), []);
  return { fault: Object.values(faults).find(Boolean), onFault };
}

/** An object as text, which may be half written; what is whole is told at once. */
export function JsonField({
  label,
  hint,
  value,
  rows = 8,
  error,
  className,
  onChange,
  onFault,
}: {
  label: string;
  hint?: ReactNode;
  value: Json;
  rows?: number;
  error: string | undefined;
  className?: string;
  onChange: (value: Json) => void;
  onFault: OnFault;
}) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const fault = draft === null ? undefined : faultOf(draft);
  useEffect(() => {
    if (!fault) return undefined;
    onFault(id, `${label}: ${fault}`);
    return () => onFault(id, undefined);
  }, [id, label, fault, onFault]);
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
    return isObject(JSON.parse(text)) ? undefined : 'It must be an object: { … }.';
  } catch (error) {
    return `It cannot be read as JSON: ${(error as Error).message}.`;
  }
}
