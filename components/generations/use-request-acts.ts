'use client';

import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Send } from '#components/generations/send-each';
import { ask } from '#components/library/ask';
import { byCode, REASON } from '#components/ui/on-demand';
import { toast } from '#components/ui/toast';
import { quotasQuery } from '#lib/client/account-queries';
import { changeHistory } from '#lib/client/history-queries';
import { api, requestQuery } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';
import { isLive } from '#lib/status';

/** Acts on requests of the history, one or many. Lists show them immediately; failures are reverted and reported. */
export function useRequestActs() {
  const queries = useQueryClient();

  const show = useCallback(
    (requests: readonly RequestWire[]) => {
      changeHistory(queries, requests);
      for (const request of requests) {
        const { queryKey } = requestQuery(request.request_id);
        queries.setQueryData(queryKey, detail => detail && { ...detail, ...request });
      }
    },
    [queries],
  );

  const mark = useCallback(
    async (requests: readonly RequestWire[], send: Send, change: Partial<RequestWire>, failed: string) => {
      const marked = requests.map(request => ({ ...request, ...change }));
      show(marked);
      const { answers, reason } = await import('#components/generations/send-each').then(
        ({ sendEach }) => sendEach(queries, requests, marked, send),
        () => ({ answers: requests, reason: REASON }),
      );
      // a response that was in flight may have restored the old state meanwhile
      show(answers);
      if (reason) toast({ title: failed, description: reason, tone: 'bad' });
    },
    [show, queries],
  );

  const setFavourite = useCallback(
    (requests: readonly RequestWire[], favourite: boolean) => {
      const send = favourite ? api.setFavourite : api.unsetFavourite;
      const changed = requests.filter(request => request.favourite !== favourite);
      return mark(changed, send, { favourite }, 'The favourites were not changed.');
    },
    [mark],
  );

  const setKept = useCallback(
    async (requests: readonly RequestWire[], keep: boolean) => {
      const send = keep ? api.keepResult : api.releaseResult;
      const changed = requests.filter(request => !request.kept === keep);
      await mark(changed, send, { kept: keep || undefined }, keep ? 'Not everything is kept.' : 'It is still kept.');
      void queries.invalidateQueries({ queryKey: quotasQuery.queryKey });
    },
    [mark, queries],
  );

  const remove = useCallback(
    (requests: readonly RequestWire[]) => {
      const finished = requests.filter(({ status }) => !isLive(status));
      if (finished.length > 1) ask({ kind: 'delete', requests: finished });
      else if (finished.length > 0)
        byCode(
          import('#components/generations/remove-later'),
          ({ removeLater }) => removeLater(queries, finished),
          'It was not deleted.',
        );
      if (finished.length < requests.length)
        toast({ title: 'What is in progress stays.', description: 'Cancel it first.' });
    },
    [queries],
  );

  return { setFavourite, setKept, remove };
}
