import { useEffect, useState } from 'react';

/** Whether the page has been idle since it loaded: requests for what is not visible at first wait for that. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const rest = () => setIdle(true);
    // not every browser has this function
    if ('requestIdleCallback' in window) requestIdleCallback(rest, { timeout: 2000 });
    else setTimeout(rest, 500);
  }, []);
  return isIdle;
}
