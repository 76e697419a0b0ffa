'use client';

import { useLive } from '#components/generations/use-live';
import { InPlace, onDemand } from '#components/ui/on-demand';

const LiveRing = onDemand(async () => (await import('#components/generations/live-ring')).LiveRing);

/** Shows on every page what is in progress, on whatever device it was started. */
export function LiveDock() {
  const live = useLive();
  return (
    live.length > 0 && (
      <InPlace>
        <LiveRing live={live} />
      </InPlace>
    )
  );
}
