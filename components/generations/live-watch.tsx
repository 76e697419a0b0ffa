'use client';

import { useEffect, useRef } from 'react';
import { usePathname, useRouter } from 'next/navigation';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { resumeVisit, useVisit } from '#components/generations/visit';
import { toast } from '#components/ui/toast';
import { api, liveRequestsQuery } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

/** Watches over the account's live requests from every page: running count in the title, word of what finished out of sight. */
export function LiveWatch({ owner }: { owner: string }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const path = usePathname();
  const visit = useVisit();
  const { data: live } = useQuery(liveRequestsQuery);
  const before = useRef<readonly string[]>([]);

  useEffect(
    () => resumeVisit(owner, () => void queryClient.invalidateQueries({ queryKey: ['requests'] })),
    [owner, queryClient],
  );

  useEffect(() => {
    if (!live) return;
    const ids = live.map(({ request_id }) => request_id);
    const gone = before.current.filter(id => !ids.includes(id));
    before.current = ids;
    if (!gone.length) return;
    const inSight = path.startsWith('/create') ? visit.map(({ requestId }) => requestId) : [];
    void queryClient.invalidateQueries({ queryKey: ['account'] });
    void queryClient.invalidateQueries({ queryKey: ['requests', 'pages'] });
    api.listRequests({ query: { ids: gone.join(',') } }).then(
      ({ data }) => {
        for (const request of data) {
          if (!inSight.includes(request.request_id)) tell(request, () => router.push(`/history/${request.request_id}`));
        }
      },
      () => {
        // the lists tell it as well
      },
    );
  }, [live, path, visit, queryClient, router]);
  return <RunningTitle key={path} count={live?.length ?? 0} />;
}

/** How many are in the making, before the page's title. */
function RunningTitle({ count }: { count: number }) {
  useEffect(() => {
    const title = document.title.replace(/^\(\d+\) /, '');
    document.title = count ? `(${count}) ${title}` : title;
  }, [count]);
  return null;
}

function tell({ status, prompt, error, billing }: RequestWire, show: () => void) {
  const description = prompt.length > 80 ? `${prompt.slice(0, 80)}…` : prompt;
  if (status === 'completed')
    toast({ title: 'Ready', description, tone: 'good', action: { label: 'Show', onPress: show } });
  if (status !== 'failed') return;
  const refunded = billing.gems_refunded === undefined ? '' : ` ${billing.gems_refunded} gems were refunded.`;
  toast({ title: 'A generation failed', description: `${error?.message ?? ''}${refunded}`, tone: 'bad' });
}
