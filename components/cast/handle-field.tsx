'use client';

import { useEffect, useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { useSettled } from '#components/ui/use-settled';
import { handleQuery } from '#lib/client/cast-api';
import { HANDLE, HANDLE_LENGTH } from '#lib/contract/handle-rule';
import { handleFromName } from '#lib/contract/handle-from-name';

/**
 * Field for a handle, which follows the name until the user edits it, and again once left empty. Shows immediately
 * whether the handle is free.
 */
export function HandleField({
  name,
  value,
  onChange,
  error,
}: {
  /** Name of the character or reference. */
  name: string;
  value: string;
  onChange: (handle: string) => void;
  error?: string | undefined;
}) {
  const [isOwn, setOwn] = useState(false);
  const derived = handleFromName(name, HANDLE_LENGTH);
  const wanted = useSettled(isOwn ? value : derived);
  const isHandle = HANDLE.test(wanted);
  const { data, isError } = useQuery({ ...handleQuery(wanted), enabled: isHandle });
  const followed = data?.handle === derived && data.suggestion ? data.suggestion : derived;

  useEffect(() => {
    if (!isOwn) onChange(followed);
    // `onChange` may be a new function on each render
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isOwn, followed]);

  return (
    <Field label="Handle" hint={hint()} error={error}>
      <Input
        value={value}
        maxLength={HANDLE_LENGTH}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        className="font-mono"
        onChange={event => {
          const typed = event.target.value.toLowerCase().replace(/^@|\s/g, '');
          setOwn(true);
          onChange(typed);
        }}
        onBlur={() => value === '' && setOwn(false)}
      />
    </Field>
  );

  function hint(): ReactNode {
    if (!value && name.trim() && !derived) return 'One is made up for you. Or choose your own in a–z and 0–9.';
    if (!value) return 'Made from the name if left empty.';
    if (!HANDLE.test(value)) return 'Lowercase letters, digits, - and _, starting with a letter; not image1, image2 …';
    if (data?.suggestion && data.handle === value) {
      const { suggestion } = data;
      return (
        <output>
          @{value} is taken.{' '}
          <button
            type="button"
            onClick={() => onChange(suggestion)}
            className="text-ink underline decoration-accent decoration-2 underline-offset-3"
          >
            Use @{suggestion}
          </button>
        </output>
      );
    }
    const isFree = (data?.handle === value && data.available) || data?.suggestion === value;
    return (
      <output className="inline-flex items-center gap-1">
        {isFree && <Check className="size-3.5 text-leaf" aria-hidden />}
        {isFree
          ? `@${value} is free.`
          : data?.handle === value
            ? `@${value} is taken.`
            : isError && wanted === value
              ? 'It was not possible to check whether it is free. Saving will tell.'
              : 'Checking whether it is free …'}
      </output>
    );
  }
}
