'use client';

import { useEffect } from 'react';
import { useRouter } from 'next/navigation';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { resumeVisit } from '#components/generations/visit';
import { notify, showSight, type News } from '#components/notices/notify';
import { toast } from '#components/ui/toast';
import { liveRequestsQuery, noteAccepted } from '#lib/client/live-requests';
import type { RequestWire } from '#lib/contract/schemas';

/** Watches over the account's live requests from every page: running count in the title, word of what ended out of sight. */
export function LiveWatch({ owner }: { owner: string }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { data: look } = useQuery(liveRequestsQuery);
  const ended = look?.ended;

  useEffect(() => {
    // without one there is the browser's own word for it
    if ('serviceWorker' in navigator) navigator.serviceWorker.register('/offline-worker.js').catch(() => {});
  }, []);
  useEffect(showSight, []);
  useEffect(() => resumeVisit(owner, request => noteAccepted(queryClient, request)), [owner, queryClient]);

  useEffect(() => {
    if (!ended?.length) return;
    void queryClient.invalidateQueries({ queryKey: ['account'] });
    void queryClient.invalidateQueries({ queryKey: ['requests', 'pages'] });
    void notify(ended.flatMap(request => newsOf(request) ?? []));
    // there one sees it happen
    if (/^\/(create|matrix)/.test(location.pathname)) return;
    for (const request of ended) tell(request, () => router.push(`/history/${request.request_id}`));
  }, [ended, queryClient, router]);
  return <RunningTitle count={look?.live.length ?? 0} />;
}

/** How many are in the making, before the page's title, which comes when the page is told of it: that may be later than the count. */
function RunningTitle({ count }: { count: number }) {
  useEffect(() => {
    const show = () => {
      const title = document.title.replace(/^\(\d+\) /, '');
      const shown = title && count ? `(${count}) ${title}` : title;
      if (document.title !== shown) document.title = shown;
    };
    show();
    const changes = new MutationObserver(show);
    changes.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => changes.disconnect();
  }, [count]);
  return null;
}

function tell(request: RequestWire, show: () => void) {
  const news = newsOf(request);
  if (!news) return;
  const { title, text } = news;
  const isReady = request.status === 'completed';
  const action = { label: 'Show', onPress: show };
  toast({ title, description: text, tone: isReady ? 'good' : 'bad', ...(isReady && { action }) });
}

/** What is said of a request that ended; nothing of one that somebody cancelled. */
function newsOf({ request_id: id, status, prompt, error, billing, result }: RequestWire): News | null {
  const href = `/history/${id}`;
  if (status === 'completed') {
    const text = prompt.length > 80 ? `${prompt.slice(0, 80)}…` : prompt;
    return { id, title: 'Ready', text, href, picture: result?.preview_url };
  }
  if (status !== 'failed') return null;
  const refunded = billing.gems_refunded === undefined ? '' : ` ${billing.gems_refunded} gems were refunded.`;
  return { id, title: 'A generation failed', text: `${error?.message ?? ''}${refunded}`, href };
}
