'use client';

import { useEffect, useRef } from 'react';

const CONTROLS = 'button:enabled, input:enabled';

/**
 * Focus that a part had goes on in it when other controls take the place of those it was on: they are gone with it. It goes to the first
 * of them, or, in a list, to the one in the same place; to the part itself where there is none.
 */
export function useKeptFocus<Part extends HTMLElement = HTMLDivElement>({ isList = false } = {}) {
  const part = useRef<Part>(null);
  const on = useRef<{ control: HTMLInputElement; place: number } | null>(null);
  const opener = useRef<typeof on.current>(null);
  const controls = () => [...(part.current?.querySelectorAll<HTMLInputElement>(CONTROLS) ?? [])];
  useEffect(() => {
    // one that is still there was left for the page itself; with one that is gone the focus is nowhere, or at the dialog around
    if (!on.current || on.current.control.isConnected || !document.activeElement?.contains(part.current)) return;
    const { control: lost, place } = on.current;
    const all = controls();
    // a form that was made anew has the same field again
    const same = all.find(({ name }) => name && name === lost.name);
    (same ?? all[isList ? Math.min(place, all.length - 1) : 0] ?? part.current)?.focus();
  });
  return {
    ref: part,
    onFocus: ({ target }: { target: EventTarget }) => {
      const control = target as HTMLInputElement;
      const place = controls().indexOf(control);
      // a menu that opens from it stands elsewhere
      if (part.current?.contains(control)) opener.current = { control, place };
      on.current = opener.current;
    },
    onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
      if (relatedTarget && !part.current?.contains(relatedTarget as Node)) on.current = null;
    },
  };
}
