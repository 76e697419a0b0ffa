'use client';

import { useEffect, useState } from 'react';

/** Somebody who searches types on within it. */
const TYPING_MS = 200;
/** Between two changes of settings whose price is asked for. */
export const PRICE_PAUSE_MS = 450;

/** The value once it has stood still for so many milliseconds; for what is asked of the server while somebody types. */
export function useSettled<T>(value: T, ms = TYPING_MS): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
