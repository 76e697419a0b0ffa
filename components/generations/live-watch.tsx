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
    for (const ending of ['completed', 'failed'] as const) {
      const such = ended.filter(({ status }) => status === ending);
      tell(ending, such, href => router.push(href));
    }
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

type Ending = 'completed' | 'failed';
type Told = { requests: readonly RequestWire[]; takeBack: () => boolean };
const NOTHING: Told = { requests: [], takeBack: () => false };
const told: Record<Ending, Told> = { completed: NOTHING, failed: NOTHING };

/** What ends while its like is still told joins it in one notice: several would cover a phone's page. */
function tell(ending: Ending, ended: readonly RequestWire[], open: (href: string) => void) {
  if (!ended.length) return;
  const requests = told[ending].takeBack() ? [...told[ending].requests, ...ended] : ended;
  const news = requests.length > 1 ? newsOfMany(ending, requests) : newsOf(requests[0]!);
  if (!news) return;
  const { title, text, href } = news;
  const isReady = ending === 'completed';
  const action = { label: 'Show', onPress: () => open(href) };
  const takeBack = toast({
    title,
    description: text,
    tone: isReady ? 'good' : 'bad',
    ...((isReady || requests.length > 1) && { action }),
  });
  told[ending] = { requests, takeBack };
}

/** Several that ended alike, in the words that each would be told with. */
function newsOfMany(ending: Ending, requests: readonly RequestWire[]): Omit<News, 'id'> {
  const count = requests.length;
  if (ending === 'completed') {
    const prompts = [...new Set(requests.map(({ prompt }) => prompt))];
    return { title: `${count} results are ready`, text: briefly(prompts.join(' · ')), href: '/history' };
  }
  const reasons = [...new Set(requests.map(({ error }) => error?.message ?? ''))];
  const refunded = requests.reduce((sum, { billing }) => sum + (billing.gems_refunded ?? 0), 0);
  const text = (reasons.length === 1 ? reasons[0] : '') + wordsOfRefund(refunded);
  return { title: `${count} generations failed`, text, href: '/history?status=failed' };
}

const briefly = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
const wordsOfRefund = (gems = 0) => (gems ? ` ${gems} gems were refunded.` : '');

/** What is said of a request that ended; nothing of one that somebody cancelled. */
function newsOf({ request_id: id, status, prompt, error, billing, result }: RequestWire): News | null {
  const href = `/history/${id}`;
  if (status === 'completed') {
    return { id, title: 'Ready', text: briefly(prompt), href, picture: result?.preview_url };
  }
  if (status !== 'failed') return null;
  const text = (error?.message ?? '') + wordsOfRefund(billing.gems_refunded);
  return { id, title: 'A generation failed', text, href };
}
