'use client';

import { useEffect, useRef } from 'react';

const CONTROLS = 'button:enabled, input:enabled';

/**
 * Keeps the focus in a part whose focused control is replaced by others: it moves to the control with the same name, to
 * the first one (in a list, to the one at the same index), or, if there are none, to the part itself.
 */
export function useKeptFocus<Part extends HTMLElement = HTMLDivElement>({ isList = false } = {}) {
  const part = useRef<Part>(null);
  const on = useRef<{ control: HTMLInputElement; place: number } | null>(null);
  const opener = useRef<typeof on.current>(null);
  const controls = () => [...(part.current?.querySelectorAll<HTMLInputElement>(CONTROLS) ?? [])];
  useEffect(() => {
    // acts only if the control was removed and the focus is now at an ancestor: the body, or a dialog
    if (!on.current || on.current.control.isConnected || !document.activeElement?.contains(part.current)) return;
    const { control: lost, place } = on.current;
    const all = controls();
    // a form that was rendered anew has a field with the same name
    const same = all.find(({ name }) => name && name === lost.name);
    (same ?? all[isList ? Math.min(place, all.length - 1) : 0] ?? part.current)?.focus();
  });
  return {
    ref: part,
    onFocus: ({ target }: { target: EventTarget }) => {
      const control = target as HTMLInputElement;
      const place = controls().indexOf(control);
      // a menu opened from a control is rendered outside of the part, so its opener is remembered
      if (part.current?.contains(control)) opener.current = { control, place };
      on.current = opener.current;
    },
    onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
      if (relatedTarget && !part.current?.contains(relatedTarget as Node)) on.current = null;
    },
  };
}
