'use client';

import { useId, useState } from 'react';
import { usePathname } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { Emblem } from '#components/architectures/emblem';
import { CancelButton } from '#components/generations/generation-card';
import { LiveLine } from '#components/generations/live-line';
import { cn } from '#components/ui/cn';
import { liveRequestsQuery } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

const ROUND = 2 * Math.PI * 9;

/** What is being made right now, on whatever device it was started: a pill at the edge of every page, opening to a list. */
export function LiveDock() {
  const { data: live = [] } = useQuery(liveRequestsQuery);
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  const isOnCreate = usePathname().startsWith('/create');
  if (live.length === 0) return null;
  const done = live.reduce((sum, { progress = 0 }) => sum + progress, 0) / live.length;
  return (
    <section aria-label="In the making" className={cn('grid justify-items-end gap-2', isOnCreate && 'max-md:mb-20')}>
      {isOpen && (
        <ul
          id={listId}
          className="animate-rise max-h-[50dvh] w-[min(22rem,calc(100vw-2rem))] overflow-y-auto rounded-lg border bg-raised p-2 shadow-float"
        >
          {live.map(request => (
            <Row key={request.request_id} request={request} />
          ))}
        </ul>
      )}
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        onClick={() => setOpen(!isOpen)}
        className="figures flex min-h-11 items-center gap-2.5 rounded-full border bg-raised pr-4 pl-3 text-sm font-medium shadow-float transition-colors hover:border-edge focus-visible:rounded-full"
      >
        <svg viewBox="0 0 24 24" className="size-6 -rotate-90" fill="none" strokeWidth="3" aria-hidden>
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
        {live.length} in the making
        <ChevronDown className={cn('size-4 text-faint transition-transform', !isOpen && 'rotate-180')} aria-hidden />
      </button>
    </section>
  );
}

function Row({ request }: { request: RequestWire }) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 rounded-md p-2">
      <Emblem id={request.architecture} className="size-9" />
      <div className="min-w-0">
        <p className="truncate pb-1.5 text-sm">{request.prompt}</p>
        <LiveLine request={request} />
      </div>
      <CancelButton id={request.request_id} />
    </li>
  );
}
