'use client';

import { useMemo } from 'react';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useRemovals } from '#components/generations/removals';
import type { NewSubmission } from '#components/generations/send-visit';
import { useLive } from '#components/generations/use-live';
import { useVisit, type Submission } from '#components/generations/visit';
import { placeIn, type Matrix } from '#components/matrix/matrices';
import { isNotFound } from '#lib/client/or-gone';
import { requestQuery } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

/** Content of a place of a matrix: the request, or the submission until there is one. */
export interface MatrixPlace {
  request?: RequestWire | undefined;
  submission?: Submission | undefined;
  /** A submission that was never sent, was stopped before it was accepted, or costs more than when it was sent. */
  left?: NewSubmission | undefined;
  /** Whether the price of `left` has risen since it was shown. */
  isDearer?: boolean;
  /** Whether the request was deleted. */
  isGone: boolean;
  /** Query of the request that is known by its id; undefined if nothing was accepted yet. */
  reading?: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'> | undefined;
}

/** Returns the current places of a matrix, row by row. */
export function useMatrixRequests(matrix: Matrix): MatrixPlace[] {
  const visit = useVisit();
  const live = useLive();
  const removals = useRemovals();
  const { id, requests } = matrix;
  const sent = useMemo(
    // the visit has the newest first, so a retry is found before what was refused or has failed
    () => requests.map((_, index) => visit.find(({ place }) => place === placeIn(id, index))),
    [visit, id, requests],
  );
  const known = requests.map((request, index) => {
    const submission = sent[index];
    return submission && !submission.requestId ? null : request;
  });

  const answers = useQueries({
    queries: known.map((one, index) => ({ ...requestQuery(one ?? `${id}/${index}`), enabled: one !== null })),
  });
  return known.map((one, index) => {
    const reading = answers[index]!;
    const { data, error } = reading;
    const growing = live.find(({ request_id }) => request_id === one);
    const request = data && growing ? { ...data, ...growing } : (data ?? growing);
    const isGone = isNotFound(error) || Boolean(data?.removed_at) || (one !== null && removals.has(one));
    if (one === null) {
      const submission = sent[index];
      return { submission, left: submission ? undefined : matrix.left?.[placeIn(id, index)], isGone };
    }
    return { request: isGone ? undefined : request, isGone, reading };
  });
}
