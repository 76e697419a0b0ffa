import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { RunPrice } from '#components/recipes/use-price';
import type { Config } from '#components/studio/config';

/**
 * A press of Run. While the price is asked for it waits, and goes once that is no more than was said when it was pressed; what costs
 * more by then is for another press.
 */
export function usePricedPress(config: Config, { gems, isAsking }: RunPrice, isBlocked: boolean, onRun: () => void) {
  const [pressed, setPressed] = useState<{ config: Config; gems: number }>();
  // other inputs are none of it
  const isOfThis = pressed?.config === config;
  const isDearer = isOfThis && !isAsking && gems > pressed.gems;
  const goes = isOfThis && !isAsking && !isDearer && !isBlocked;
  const run = useEffectEvent(onRun);
  const gone = useRef(pressed);
  useEffect(() => {
    if (!goes || gone.current === pressed) return;
    gone.current = pressed;
    run();
  }, [goes, pressed]);
  return { isWaiting: isOfThis && isAsking, isDearer, press: () => setPressed({ config, gems }) };
}
