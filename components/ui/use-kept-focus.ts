'use client';

import { useEffect, useRef } from 'react';

/** Focus that a part had goes on in it when other controls take the place of those it was on: they are gone with it. */
export function useKeptFocus() {
  const part = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  const field = useRef('');
  useEffect(() => {
    // gone, it is nowhere, or at the dialog around
    if (!hadFocus.current || !document.activeElement?.contains(part.current)) return;
    const all = [...(part.current?.querySelectorAll<HTMLInputElement>('button:enabled, input:enabled') ?? [])];
    // a form that was made anew has the same field again
    (all.find(({ name }) => name && name === field.current) ?? all[0])?.focus();
  });
  return {
    ref: part,
    onFocus: ({ target }: { target: EventTarget }) => {
      hadFocus.current = true;
      field.current = (target as HTMLInputElement).name;
    },
    onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
      if (relatedTarget && !part.current?.contains(relatedTarget as Node)) hadFocus.current = false;
    },
  };
}
