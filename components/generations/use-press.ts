'use client';

import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { press, type NewSubmission } from '#components/generations/send-visit';
import { dismissSubmission, type Submission } from '#components/generations/visit';
import { noteAccepted } from '#lib/client/live-requests';
import { catalogQuery } from '#lib/client/queries';

/** Submits what belongs together; every list of the page has each as soon as it is accepted. */
export function usePress() {
  const queries = useQueryClient();
  return useCallback(
    async (submissions: readonly NewSubmission[]) => {
      const sent = await press(submissions, request => noteAccepted(queries, request));
      // the price that the page shows is an old one
      if (sent.some(({ refusal }) => refusal?.code === 'price_above_limit'))
        for (const queryKey of [catalogQuery.queryKey, ['estimate']]) void queries.invalidateQueries({ queryKey });
      return sent;
    },
    [queries],
  );
}

/** Submits together what was refused: what may have been accepted under its key, all else as another attempt. */
export function usePressAgain() {
  const send = usePress();
  return useCallback(
    (refused: readonly Submission[]) => {
      for (const { key } of refused) dismissSubmission(key);
      return send(refused.map(one => (one.refusal?.isGivenUp ? one : { ...one, key: undefined, isUnsure: undefined })));
    },
    [send],
  );
}
