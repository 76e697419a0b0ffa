'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { REASON } from '#components/ui/on-demand';
import { toast } from '#components/ui/toast';
import { tagsQuery } from '#lib/client/library-queries';
import { outdateHistory } from '#lib/client/outdate-history';
import { api, requestQuery } from '#lib/client/queries';
import { stillThere } from '#lib/client/still-there';
import type { RequestWire } from '#lib/contract/schemas';

const AT_ONCE = 4;
const FAILED = 'The tags were not changed.';

interface Change {
  requests: readonly Pick<RequestWire, 'request_id'>[];
  tag: string;
  /** Whether the tag is added (or removed). */
  give: boolean;
}

/** Adds tags to requests, or removes them. Each request is attempted; failures are reported and returned. */
export function useTags() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ requests, tag, give }: Change) => {
      const { default: pMap } = await import('p-map');
      const reasons: string[] = [];
      const change = async ({ request_id }: Change['requests'][number]) => {
        try {
          const answer = await (give ? api.addTag : api.removeTag)({ params: { request_id, tag } });
          queries.setQueryData(requestQuery(request_id).queryKey, answer);
        } catch (error) {
          reasons.push((error as Error).message);
        }
      };
      await pMap(requests, change, { concurrency: AT_ONCE });
      return reasons;
    },
    onSuccess: (reasons, { requests, give }) => {
      if (reasons.length === 0) return;
      // if this check fails, too, the requests stay as shown
      void stillThere(
        queries,
        requests.map(({ request_id }) => request_id),
      ).catch(() => {});
      const some = `${reasons.length} of ${requests.length} ${give ? 'were not tagged.' : 'still have the tag.'}`;
      const title = reasons.length < requests.length ? some : FAILED;
      toast({ tone: 'bad', title, description: [...new Set(reasons)].join(' ') });
    },
    onError: () => toast({ tone: 'bad', title: FAILED, description: REASON }),
    onSettled: () => {
      outdateHistory(queries, 'tag');
      // not awaited, so that the list does not delay the next change
      void queries.invalidateQueries({ queryKey: tagsQuery.queryKey });
    },
  });
}
