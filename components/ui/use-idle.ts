import { useEffect, useState } from 'react';

/** Whether the page has had nothing to do since it came: what nobody looks at first is asked for then, in the way of nothing. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const rest = () => setIdle(true);
    // not every browser has it
    if ('requestIdleCallback' in window) requestIdleCallback(rest, { timeout: 2000 });
    else setTimeout(rest, 500);
  }, []);
  return isIdle;
}
