'use client';

import { useCallback, useEffect, useId, useState, type ReactNode } from 'react';
import { Field } from '#components/ui/field';
import { Textarea } from '#components/ui/textarea';
import { isObject } from '#lib/is-object';

type Json = Record<string, unknown>;

/** Called with the fault in the text of a field, and with undefined once it is corrected. */
export type OnFault = (id: string, fault: string | undefined) => void;

/** Collects the faults in the JSON fields of a form. A faulty text is not part of the values that the form sends. */
export function useJsonFaults() {
  const [faults, setFaults] = useState<Record<string, string | undefined>>({});
  const onFault = useCallback<OnFault>((id, fault) => setFaults(now => ({ ...now, [id]: fault })), []);
  return { fault: Object.values(faults).find(Boolean), onFault };
}

/** Edits an object as JSON text, which may be incomplete for a while. Each valid text is reported immediately. */
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
        // a valid text is replaced by the formatted value
        onBlur={() => fault === undefined && setDraft(null)}
      />
    </Field>
  );
}

/** Returns why a text is not a JSON object; undefined if it is one. */
function faultOf(text: string): string | undefined {
  try {
    return isObject(JSON.parse(text)) ? undefined : 'It must be an object: { … }.';
  } catch (error) {
    return `It cannot be read as JSON: ${(error as Error).message}.`;
  }
}
