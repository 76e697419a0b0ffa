'use client';

import { useState } from 'react';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Select } from '#components/ui/select';

const DAY_MS = 86_400_000;
/** Returns the time that is `days` from now. */
export const endIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

const CHOICES = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a chosen day' },
];

/** Expiry of a key as a UTC time: after a common period, or at the end of a chosen local day; null is never. */
export function ExpiryInput({
  initial = 'never',
  onChange,
  error,
}: {
  /** Initial choice; the form already has its value. */
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
    <div className="grid gap-5 sm:grid-cols-2">
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

/** Returns today's local date as `YYYY-MM-DD`, the format of date inputs. */
const localDay = (): string => new Intl.DateTimeFormat('sv').format(new Date());
