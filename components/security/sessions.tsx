'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Laptop, Smartphone } from 'lucide-react';
import { Badge } from '#components/ui/badge';
import { Button } from '#components/ui/button';
import { ListRows } from '#components/ui/list-rows';
import { Moment } from '#components/ui/moment';
import { QueryView } from '#components/ui/query-view';
import { Refused } from '#components/ui/refused';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { studioApi } from '#lib/client/studio-api';
import { sessionsQuery } from '#lib/client/account-queries';
import { orGone } from '#lib/client/or-gone';
import type { SessionWire } from '#lib/contract/account-schemas';

/** Sessions of the account, which can be ended. */
export function Sessions() {
  const query = useQuery(sessionsQuery);
  const queries = useQueryClient();
  // also after an error, since the list may be out of date
  const refresh = () => queries.invalidateQueries(sessionsQuery);
  // ends one session, or without an id all others
  const end = useMutation({
    mutationFn: (session_id?: string) =>
      session_id ? orGone(studioApi.endSession({ params: { session_id } })) : studioApi.endOtherSessions(),
    onSettled: refresh,
  });
  const kept = useKeptFocus({ isList: true });
  const isEnding = (session_id?: string) => end.isPending && end.variables === session_id;
  return (
    <QueryView query={query} skeleton={<ListRows />}>
      {sessions => (
        <div {...kept} tabIndex={-1} className="grid grid-cols-1 gap-5 outline-none">
          <Refused refusal={end.error} />
          <ul aria-label="Sessions" className="grid">
            {sessions.map(session => (
              <Session
                key={session.id}
                session={session}
                busy={isEnding(session.id)}
                onEnd={() => end.mutate(session.id)}
              />
            ))}
          </ul>
          {sessions.length > 1 && (
            <Button className="justify-self-start" busy={isEnding()} onClick={() => end.mutate(undefined)}>
              Sign out everywhere else
            </Button>
          )}
          <p className="text-sm text-faint">
            API keys keep working. A new password also signs out every other browser.
          </p>
        </div>
      )}
    </QueryView>
  );
}

function Session({
  session: { current, device, address, created_at, last_used_at },
  busy,
  onEnd,
}: {
  session: SessionWire;
  busy: boolean;
  onEnd: () => void;
}) {
  const Icon = /iOS|Android/.test(device) ? Smartphone : Laptop;
  return (
    <li className="flex min-h-16 items-center gap-4 max-[18rem]:flex-wrap border-b py-3 text-sm first:pt-0">
      <Icon className="size-5 shrink-0 text-faint" aria-hidden />
      <div className="grid min-w-0 grow gap-0.5">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          {device}
          {current && <Badge tone="good">This browser</Badge>}
        </p>
        <p className="text-xs text-faint">
          {!current && (
            <>
              Last used <Moment at={last_used_at} /> ·{' '}
            </>
          )}
          signed in <Moment at={created_at} /> from {address}
        </p>
      </div>
      {!current && (
        <Button size="sm" busy={busy} onClick={onEnd}>
          Sign out<span className="sr-only"> {device}</span>
        </Button>
      )}
    </li>
  );
}
