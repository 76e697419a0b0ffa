'use client';

import { useState } from 'react';
import { Checkbox } from '#components/ui/checkbox';
import { SegmentedControl } from '#components/ui/segmented-control';
import { FieldError } from '#components/ui/field-error';
import { NO_SCOPE, SCOPES, SCOPE_WORDS, type Scope } from '#lib/scopes';

/** Common sets of scopes; null means all scopes, including those that later versions add. */
const PRESETS: { value: string; label: string; scopes: readonly Scope[] | null }[] = [
  { value: 'everything', label: 'All', scopes: null },
  { value: 'generate', label: 'Generate', scopes: ['generate', 'read', 'uploads'] },
  { value: 'read', label: 'Read', scopes: ['read'] },
];

/** Scopes of a key: a preset, or a custom choice. */
export function ScopeInput({
  onChange,
  error,
}: {
  onChange: (scopes: Scope[] | null) => void;
  error?: string | undefined;
}) {
  const [choice, setChoice] = useState('everything');
  const [scopes, setScopes] = useState<readonly Scope[] | null>(null);
  const take = (scopes: readonly Scope[] | null) => {
    setScopes(scopes);
    onChange(scopes && [...scopes]);
  };
  const choose = (value: string) => {
    setChoice(value);
    const preset = PRESETS.find(preset => preset.value === value);
    take(preset ? preset.scopes : (scopes ?? SCOPES));
  };
  return (
    <fieldset className="grid gap-2.5">
      <legend className="pb-1.5 text-sm font-medium">It may</legend>
      <SegmentedControl
        label="It may"
        value={choice}
        onValueChange={choose}
        segments={[...PRESETS, { value: 'choose', label: 'Choose' }]}
      />
      <ul className="grid gap-1.5">
        {SCOPES.map(scope => (
          <li key={scope}>
            <Checkbox
              label={SCOPE_WORDS[scope]}
              aria-invalid={Boolean(error)}
              checked={scopes?.includes(scope) ?? true}
              disabled={choice !== 'choose'}
              onChange={({ target }) =>
                take(SCOPES.filter(one => (one === scope ? target.checked : (scopes?.includes(one) ?? true))))
              }
            />
          </li>
        ))}
      </ul>
      <FieldError>{error && NO_SCOPE}</FieldError>
    </fieldset>
  );
}
