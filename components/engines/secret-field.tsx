'use client';

import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Select } from '#components/ui/select';
import type { EngineEntryWire } from '#lib/contract/engine-schemas';

export type GivenSecret = EngineEntryWire['servers'][number]['secret'];

type Way = 'none' | 'kept' | 'value' | 'env';

const WAYS: Record<Way, string> = {
  none: 'None',
  kept: 'Keep the saved one',
  value: 'Enter it here',
  env: 'From an environment variable',
};

const wayOf = (secret: GivenSecret): Way =>
  secret === null ? 'none' : 'kept' in secret ? 'kept' : 'env' in secret ? 'env' : 'value';

const START: Record<Way, GivenSecret> = { none: null, kept: { kept: true }, value: { value: '' }, env: { env: '' } };

/** Secret that is sent to a server. A saved one is never shown again. */
export function SecretField({
  value,
  error,
  mayBeKept,
  onChange,
}: {
  value: GivenSecret;
  error?: string | undefined;
  mayBeKept: boolean;
  onChange: (secret: GivenSecret) => void;
}) {
  const way = wayOf(value);
  const ways = (Object.keys(WAYS) as Way[]).filter(one => one !== 'kept' || mayBeKept);
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label="Secret" error={way === 'value' || way === 'env' ? undefined : error}>
        <Select
          value={way}
          options={ways.map(one => ({ value: one, label: WAYS[one] }))}
          onChange={event => onChange(START[event.target.value as Way])}
        />
      </Field>
      {value && 'value' in value && (
        <Field label="The secret" hint="Stored sealed with this deployment's key; it is not shown again." error={error}>
          <Input
            type="password"
            autoComplete="off"
            value={value.value}
            onChange={event => onChange({ value: event.target.value })}
          />
        </Field>
      )}
      {value && 'env' in value && (
        <Field label="Variable" hint="Set it for the web process and every worker." error={error}>
          <Input
            value={value.env}
            placeholder="FAL_KEY"
            spellCheck={false}
            autoComplete="off"
            onChange={event => onChange({ env: event.target.value })}
          />
        </Field>
      )}
    </div>
  );
}
