'use client';

import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { toast } from '#components/ui/toast';
import { changeHistory, dropFromHistory } from '#lib/client/history-queries';
import { api, requestQuery } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

/** Most files of one zip. */
export const ZIP_LIMIT = 200;
const AT_ONCE = 4;

/** What can be done with requests of the history, one or many. Lists show it at once; what fails is taken back and told. */
export function useHistoryActs() {
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
      const { failed, error } = await forEach(changed, ({ request_id }) => act({ params: { request_id } }));
      if (!error) return show(marked);
      show(failed);
      toast({ title: 'The favourites were not changed.', description: error.message, tone: 'bad' });
    },
    [show],
  );

  const remove = useCallback(
    async (requests: readonly RequestWire[]): Promise<boolean> => {
      const { done, error } = await forEach(requests, ({ request_id }) =>
        api.deleteRequest({ params: { request_id } }),
      );
      const gone = new Set(done.map(({ request_id }) => request_id));
      dropFromHistory(client, gone);
      void client.invalidateQueries({ queryKey: ['requests', 'pages'] });
      if (error)
        toast({ title: `${requests.length - gone.size} were not deleted.`, description: error.message, tone: 'bad' });
      else toast({ title: gone.size === 1 ? 'Deleted' : `${gone.size} deleted` });
      return !error;
    },
    [client],
  );

  return { setFavourite, remove };
}

/** Where the zip of these requests comes from. Short enough for the address line of any proxy. */
export const zipHref = (requests: readonly RequestWire[]): string =>
  `/api/history/zip?ids=${requests.map(({ request_id }) => request_id).join(',')}`;

/** Does the same to each, a few at a time; the rest goes on when one fails. */
async function forEach<T>(items: readonly T[], act: (item: T) => Promise<unknown>) {
  const done: T[] = [];
  const failed: T[] = [];
  let error: Error | undefined;
  const queue = items.values();
  const work = async () => {
    for (const item of queue) {
      await act(item).then(
        () => done.push(item),
        (cause: Error) => {
          failed.push(item);
          error = cause;
        },
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done, failed, error };
}
