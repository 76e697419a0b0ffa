'use client';

import { useId, useState } from 'react';
import { InPlace, onDemand } from '#components/ui/on-demand';
import { useIsListening } from '#components/ui/use-is-listening';
import type { RequestWire } from '#lib/contract/schemas';
import { sum } from '#lib/sum';

// most visits do not open the list, so the code of its rows is loaded when the user is about to
const LiveRow = onDemand(async () => (await import('#components/generations/live-row')).LiveRow);

const ROUND = 2 * Math.PI * 9;

/** Average progress of the live requests as a ring that opens their list. */
export function LiveRing({ live }: { live: readonly RequestWire[] }) {
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  const done = sum(live.map(({ progress = 0 }) => progress)) / live.length;
  return (
    // inert until hydration, before which the list would open empty
    <section aria-label="In progress" inert={!useIsListening()}>
      <button
        type="button"
        popoverTarget={listId}
        onPointerEnter={LiveRow.near}
        onFocus={LiveRow.near}
        aria-label={`${live.length} in progress`}
        className="figures relative grid size-11 place-items-center rounded-full text-xs font-medium transition-colors hover:bg-ink/7 focus-visible:rounded-full"
      >
        <svg
          viewBox="0 0 24 24"
          className="absolute inset-0 size-full -rotate-90"
          fill="none"
          strokeWidth="2"
          aria-hidden
        >
          <circle cx="12" cy="12" r="9" className="stroke-ink/12" />
          <circle
            cx="12"
            cy="12"
            r="9"
            className="stroke-accent transition-[stroke-dashoffset]"
            strokeLinecap="round"
            strokeDasharray={ROUND}
            strokeDashoffset={ROUND * (1 - Math.max(done, 0.04))}
          />
        </svg>
        {live.length}
      </button>
      <ul id={listId} popover="auto" onToggle={({ newState }) => setOpen(newState === 'open')} className="live-list">
        {isOpen && (
          <InPlace>
            {live.map(request => (
              <LiveRow key={request.request_id} request={request} />
            ))}
          </InPlace>
        )}
      </ul>
    </section>
  );
}
