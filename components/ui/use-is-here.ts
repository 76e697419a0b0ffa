'use client';

import { useEffect, useRef, type RefObject } from 'react';

/** For asynchronous work: a ref that tells whether the component is mounted and `is` holds at that moment. */
export function useIsHere(is = true): Readonly<RefObject<boolean>> {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = is;
    return () => void (isHere.current = false);
  }, [is]);
  return isHere;
}
