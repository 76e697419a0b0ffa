'use client';

import { useState, type ComponentProps } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import { IconButton } from '#components/ui/icon-button';
import { Input } from '#components/ui/input';

/** A password field whose text can be revealed. `autoComplete` says whether the password is a new one. */
export function PasswordInput(
  props: Omit<ComponentProps<'input'>, 'type'> & { autoComplete: 'current-password' | 'new-password' },
) {
  const [shown, setShown] = useState(false);
  return (
    <span className="relative block">
      <Input {...props} type={shown ? 'text' : 'password'} className="pr-11" spellCheck={false} autoCapitalize="none" />
      <IconButton
        size="sm"
        className="absolute top-1/2 right-1 -translate-y-1/2 active:-translate-y-1/2"
        label={shown ? 'Hide password' : 'Show password'}
        icon={shown ? <EyeOff className="size-4" aria-hidden /> : <Eye className="size-4" aria-hidden />}
        onClick={() => setShown(!shown)}
      />
    </span>
  );
}
