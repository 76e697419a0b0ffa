'use client';

import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { press, type NewSubmission } from '#components/generations/send-visit';
import { noteAccepted } from '#lib/client/live-requests';
import { catalogQuery } from '#lib/client/queries';

/** Returns a function that submits requests together. Every list of the page has each as soon as it is accepted. */
export function usePress() {
  const queries = useQueryClient();
  return useCallback(
    async (submissions: readonly NewSubmission[]) => {
      const sent = await press(submissions, request => noteAccepted(queries, request));
      // the price shown on the page is outdated
      if (sent.some(({ refusal }) => refusal?.code === 'price_above_limit'))
        for (const queryKey of [catalogQuery.queryKey, ['estimate']]) void queries.invalidateQueries({ queryKey });
      return sent;
    },
    [queries],
  );
}
