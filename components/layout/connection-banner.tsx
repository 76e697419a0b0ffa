'use client';

import { useSyncExternalStore } from 'react';
import { onlineManager, useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { ApiError } from '#client/errors';
import { liveRequestsQuery } from '#lib/client/live-requests';
import { OTHER_HERE } from '#lib/contract/session-words';

/** Banner shown while the network, the server or the session is lost, as the poll for live requests notices. */
export function ConnectionBanner() {
  const isOnline = useSyncExternalStore(subscribe, isNowOnline, () => true);
  const { failureReason } = useQuery({ ...liveRequestsQuery, notifyOnChangeProps: ['failureReason'] });
  const failure = failureReason instanceof ApiError ? failureReason : null;
  const isSignedOut = failure?.status === 401;
  if (isOnline && !isSignedOut && !failure?.isPassing) return null;
  const [what, then] = !isOnline
    ? ['You are offline.', 'What you write stays here; what you create is sent when you are back.']
    : isSignedOut
      ? // the server's message says whether another account is signed in, and what to do
        [failure.message]
      : ['The server does not answer.', 'Pomona keeps trying; nothing you wrote is lost.'];
  return (
    <output className="told">
      <TriangleAlert className="size-4 shrink-0" aria-hidden />
      <span className="min-w-0 md:truncate">
        {what} {then}
      </span>
      {isOnline &&
        isSignedOut &&
        (failure.message === OTHER_HERE ? (
          <button type="button" onClick={() => location.reload()} className={ACT}>
            Reload
          </button>
        ) : (
          <a href="/sign-in" target="_blank" className={ACT}>
            Sign in again
          </a>
        ))}
    </output>
  );
}

const ACT = 'shrink-0 p-2 underline pointer-coarse:py-3.5';

const isNowOnline = () => onlineManager.isOnline();
const subscribe = (onChange: () => void) => onlineManager.subscribe(onChange);
