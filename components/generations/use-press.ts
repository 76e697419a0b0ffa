'use client';

import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { press, type NewSubmission } from '#components/generations/send-visit';
import { noteAccepted } from '#lib/client/live-requests';

/** Submits what belongs together; every list of the page has each as soon as it is accepted. */
export function usePress() {
  const queryClient = useQueryClient();
  return useCallback(
    (submissions: readonly NewSubmission[]) => press(submissions, request => noteAccepted(queryClient, request)),
    [queryClient],
  );
}
