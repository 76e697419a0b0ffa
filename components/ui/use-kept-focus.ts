'use client';

import { useEffect, useRef } from 'react';

/** Focus that a part had goes on in it when other controls take the place of those it was on: they are gone with it. */
export function useKeptFocus() {
  const part = useRef<HTMLDivElement>(null);
  const on = useRef<HTMLInputElement | null>(null);
  useEffect(() => {
    const lost = on.current;
    // one that is still there was left for the page itself; with one that is gone the focus is nowhere, or at the dialog around
    if (!lost || lost.isConnected || !document.activeElement?.contains(part.current)) return;
    const all = [...(part.current?.querySelectorAll<HTMLInputElement>('button:enabled, input:enabled') ?? [])];
    // a form that was made anew has the same field again
    (all.find(({ name }) => name && name === lost.name) ?? all[0])?.focus();
  });
  return {
    ref: part,
    onFocus: ({ target }: { target: EventTarget }) => void (on.current = target as HTMLInputElement),
    onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
      if (relatedTarget && !part.current?.contains(relatedTarget as Node)) on.current = null;
    },
  };
}
