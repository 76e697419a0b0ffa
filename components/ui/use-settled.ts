'use client';

import { useEffect, useState } from 'react';

/** Pause after which a user who types in a search is considered done. */
const TYPING_MS = 200;
/** Pause after a change of settings before their price is requested. */
export const PRICE_PAUSE_MS = 450;

/** Returns the value once it has not changed for `ms`; for requests that depend on what a user types. */
export function useSettled<T>(value: T, ms = TYPING_MS): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
