'use client';

import { useLive } from '#components/generations/use-live';
import { InPlace, onDemand } from '#components/ui/on-demand';

const LiveRing = onDemand(async () => (await import('#components/generations/live-ring')).LiveRing);

/** What is being made right now, on whatever device it was started, in the frame of every page. */
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
