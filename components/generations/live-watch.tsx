'use client';

import { useEffect } from 'react';
import { useRouter } from 'next/navigation';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { resumeVisit } from '#components/generations/visit';
import { showSight } from '#components/notices/notify';
import { liveRequestsQuery, noteAccepted } from '#lib/client/live-requests';
import { actFor } from '#lib/client/sender';

/** Tracks the account's live requests on every page: shows their count in the title and announces those that end. */
export function LiveWatch({ owner }: { owner: string }) {
  const queries = useQueryClient();
  const router = useRouter();
  const { data: look } = useQuery(liveRequestsQuery);
  const ended = look?.ended;

  useEffect(() => {
    // without the worker, the browser shows its own page when it is offline
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
      // without this code nothing is announced; the history shows what ended
      () => {},
    );
  }, [ended, queries, router]);
  return <RunningTitle count={look?.live.length ?? 0} />;
}

/** Prefixes the document title with the count. The title may change after the count, so it is observed. */
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
