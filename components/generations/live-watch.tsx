'use client';

import { useEffect } from 'react';
import { useRouter } from 'next/navigation';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { resumeVisit } from '#components/generations/visit';
import { showSight } from '#components/notices/notify';
import { liveRequestsQuery, noteAccepted } from '#lib/client/live-requests';
import { actFor } from '#lib/client/sender';

/** Watches over the account's live requests from every page: running count in the title, word of what ended out of sight. */
export function LiveWatch({ owner }: { owner: string }) {
  const queries = useQueryClient();
  const router = useRouter();
  const { data: look } = useQuery(liveRequestsQuery);
  const ended = look?.ended;

  useEffect(() => {
    // without one there is the browser's own word for it
    if ('serviceWorker' in navigator) navigator.serviceWorker.register('/offline-worker.js').catch(() => {});
  }, []);
  useEffect(showSight, []);
  useEffect(() => actFor(owner), [owner]);
  useEffect(() => resumeVisit(owner, request => noteAccepted(queries, request)), [owner, queries]);

  useEffect(() => {
    if (!ended?.length) return;
    void queries.invalidateQueries({ queryKey: ['account'] });
    void queries.invalidateQueries({ queryKey: ['requests', 'pages'] });
    void import('#components/generations/tell-ended').then(
      ({ tellEnded }) => tellEnded(ended, router.push),
      // the history has what nobody is told of
      () => {},
    );
  }, [ended, queries, router]);
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
