'use client';

import { useEffect, useState } from 'react';

/** The value once it has stood still for so many milliseconds; for what is asked of the server while somebody types. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
