'use client';

import { useEffect, useRef, type RefObject } from 'react';

/** For what ends later than it was begun: whether the component is on the page, and `is` held there, when one looks. */
export function useIsHere(is = true): Readonly<RefObject<boolean>> {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = is;
    return () => void (isHere.current = false);
  }, [is]);
  return isHere;
}
