'use client';

import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import pMap from 'p-map';
import { removeLater } from '#components/generations/removals';
import { toast } from '#components/ui/toast';
import { changeHistory } from '#lib/client/history-queries';
import { api, requestQuery } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';
import { isLive } from '#lib/status';

/** Most files of one zip. */
export const ZIP_LIMIT = 200;
const AT_ONCE = 4;

/** What can be done with requests of the history, one or many. Lists show it at once; what fails is taken back and told. */
export function useRequestActs() {
  const client = useQueryClient();

  const show = useCallback(
    (requests: readonly RequestWire[]) => {
      changeHistory(client, requests);
      for (const request of requests) {
        const { queryKey } = requestQuery(request.request_id);
        client.setQueryData(queryKey, detail => detail && { ...detail, favourite: request.favourite });
      }
    },
    [client],
  );

  const setFavourite = useCallback(
    async (requests: readonly RequestWire[], favourite: boolean) => {
      const changed = requests.filter(request => request.favourite !== favourite);
      const marked = changed.map(request => ({ ...request, favourite }));
      show(marked);
      const act = favourite ? api.setFavourite : api.unsetFavourite;
      const refused: RequestWire[] = [];
      let reason = '';
      const mark = (request: RequestWire) =>
        act({ params: { request_id: request.request_id } }).catch((error: Error) => {
          refused.push(request);
          reason = error.message;
        });
      await pMap(changed, mark, { concurrency: AT_ONCE });
      // an answer that was on its way may have shown the old state meanwhile
      show(marked.filter(({ request_id }) => !refused.some(request => request.request_id === request_id)));
      show(refused);
      if (reason) toast({ title: 'The favourites were not changed.', description: reason, tone: 'bad' });
    },
    [show],
  );

  const remove = useCallback(
    (requests: readonly RequestWire[]) => {
      const finished = requests.filter(({ status }) => !isLive(status));
      if (finished.length > 0) removeLater(client, finished);
      if (finished.length < requests.length)
        toast({ title: 'What is still in the making stays.', description: 'Cancel it first.' });
    },
    [client],
  );

  return { setFavourite, remove };
}

/** Where the zip of these requests comes from. Short enough for the address line of any proxy. */
export const zipHref = (requests: readonly RequestWire[]): string =>
  `/api/history/zip?ids=${requests.map(({ request_id }) => request_id).join(',')}`;
