'use client';

import type { DragEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { draggedKinds, droppedMedia } from '#components/carry/drag';
import { toast } from '#components/ui/toast';
import { collect, PartlyCollected } from '#lib/client/collect';
import { collectionsQuery } from '#lib/client/library-queries';
import { outdateHistory } from '#lib/client/outdate-history';

/** Returns props that make an element add dropped results to a collection. */
export function useCollectDrop({ id, name }: { id: string; name: string }) {
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (ids: string[]) => collect(queries, { id }, ids),
    onSuccess: () => toast({ tone: 'good', title: `Added to “${name}”` }),
    onError: error => {
      const title =
        error instanceof PartlyCollected ? 'Not all of them were added.' : 'The collection was not changed.';
      toast({ tone: 'bad', title, description: error.message });
    },
    onSettled: () => {
      outdateHistory(queries, 'collection');
      return queries.invalidateQueries({ queryKey: collectionsQuery.queryKey });
    },
  });
  return {
    onDragOver: (event: DragEvent) => draggedKinds(event).length > 0 && event.preventDefault(),
    onDrop: (event: DragEvent) => {
      const ids = droppedMedia(event).flatMap(({ requestId }) => requestId ?? []);
      if (ids.length === 0) return;
      event.preventDefault();
      mutate(ids);
    },
  };
}
