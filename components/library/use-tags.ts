'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '#components/ui/toast';
import { tagsQuery } from '#lib/client/library-queries';
import { api, requestQuery } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

const AT_ONCE = 4;

interface Change {
  requests: readonly Pick<RequestWire, 'request_id'>[];
  tag: string;
  /** Gives the tag, or takes it away. */
  give: boolean;
}

/** Gives tags to requests, one or many, and takes them away. What fails is told. */
export function useTags() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ requests, tag, give }: Change) => {
      const { default: pMap } = await import('p-map');
      return pMap(
        requests,
        async ({ request_id }) => {
          const answer = await (give ? api.addTag : api.removeTag)({ params: { request_id, tag } });
          client.setQueryData(requestQuery(request_id).queryKey, answer);
        },
        { concurrency: AT_ONCE },
      );
    },
    onError: error => toast({ tone: 'bad', title: 'The tags were not changed.', description: error.message }),
    onSettled: () => client.invalidateQueries({ queryKey: tagsQuery.queryKey }),
  });
}
