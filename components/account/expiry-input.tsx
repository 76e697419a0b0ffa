'use client';

import { useState } from 'react';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Select } from '#components/ui/select';

const DAY_MS = 86_400_000;
/** The end of a span that begins now. */
export const endIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

const CHOICES = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a chosen day' },
];

/** When a key ends: a common span or the end of a chosen day, as a moment in UTC; null is never. */
export function ExpiryInput({
  initial = 'never',
  onChange,
  error,
}: {
  /** What stands there first; the form has its value already. */
  initial?: 'never' | '90';
  onChange: (value: string | null) => void;
  error?: string | undefined;
}) {
  const [choice, setChoice] = useState<string>(initial);
  const choose = (value: string) => {
    setChoice(value);
    const days = Number(value);
    onChange(days ? endIn(days) : value === 'date' ? '' : null);
  };
  const chooseDay = (day: string) => {
    const end = new Date(`${day}T23:59:59`);
    onChange(Number.isNaN(end.getTime()) ? '' : end.toISOString());
  };
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label="Expires" error={choice === 'date' ? undefined : error}>
        <Select options={CHOICES} value={choice} onChange={event => choose(event.target.value)} />
      </Field>
      {choice === 'date' && (
        <Field label="Last day" error={error && 'Choose today or a later day.'}>
          <Input type="date" min={localDay()} onChange={event => chooseDay(event.target.value)} />
        </Field>
      )}
    </div>
  );
}

/** Today as date inputs write it. */
const localDay = (): string => new Intl.DateTimeFormat('sv').format(new Date());
