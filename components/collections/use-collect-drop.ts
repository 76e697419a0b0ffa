'use client';

import type { DragEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { draggedKind, droppedMedia } from '#components/carry/drag';
import { toast } from '#components/ui/toast';
import { accountApi } from '#lib/client/account-api';
import { collectionsQuery } from '#lib/client/library-queries';

/** Makes an element take results into a collection that are dropped on it. */
export function useCollectDrop({ id, name }: { id: string; name: string }) {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (request_id: string) =>
      accountApi.putItems({ params: { collection_id: id }, body: { request_ids: [request_id] } }),
    onSuccess: () => toast({ tone: 'good', title: `In “${name}”` }),
    onError: error => toast({ tone: 'bad', title: 'The collection was not changed.', description: error.message }),
    onSettled: () => client.invalidateQueries({ queryKey: collectionsQuery.queryKey }),
  });
  return {
    onDragOver: (event: DragEvent) => draggedKind(event) && event.preventDefault(),
    onDrop: (event: DragEvent) => {
      const requestId = droppedMedia(event)?.requestId;
      if (!requestId) return;
      event.preventDefault();
      mutate(requestId);
    },
  };
}
