'use client';

import { useSyncExternalStore } from 'react';
import { useQuery } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { ApiError } from '#client/errors';
import { liveRequestsQuery } from '#lib/client/live-requests';

/** Says when the network or the server is gone, and goes by itself when they are back. The page's own poll notices. */
export function ConnectionBanner() {
  const isOnline = useSyncExternalStore(subscribe, isNowOnline, () => true);
  const { failureReason } = useQuery({ ...liveRequestsQuery, notifyOnChangeProps: ['failureReason'] });
  const isServerGone = failureReason instanceof ApiError && failureReason.isPassing;
  if (isOnline && !isServerGone) return null;
  return (
    <output className="animate-fade-in told sticky top-0 h-(--told) z-40 flex items-center justify-center gap-2 bg-ink px-4 text-sm text-paper">
      <CloudOff className="size-4 shrink-0" aria-hidden />
      <span className="truncate">
        {isOnline ? 'The server does not answer.' : 'You are offline.'}{' '}
        <span className="max-md:sr-only">
          {isOnline
            ? 'It is asked again by itself; nothing that you wrote is lost.'
            : 'What you write stays here, and what you send goes out when you are back.'}
        </span>
      </span>
    </output>
  );
}

const isNowOnline = () => navigator.onLine;

function subscribe(onChange: () => void) {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}
