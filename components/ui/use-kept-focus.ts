'use client';

import { useEffect, useRef } from 'react';

/** Focus that a part had goes on in it when other controls take the place of those it was on: they are gone with it. */
export function useKeptFocus() {
  const part = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    // gone, it is nowhere, or at the dialog around
    if (!hadFocus.current || !document.activeElement?.contains(part.current)) return;
    part.current?.querySelector<HTMLElement>('button, input')?.focus();
  });
  return {
    ref: part,
    onFocus: () => (hadFocus.current = true),
    onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
      if (relatedTarget && !part.current?.contains(relatedTarget as Node)) hadFocus.current = false;
    },
  };
}
