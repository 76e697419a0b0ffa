'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSettled } from '#components/ui/use-settled';
import { operatorApi } from '#lib/client/operator-api';
import type { BuiltWorkflowWire, WorkflowDraftWire } from '#lib/contract/engine-schemas';

type Draft = Partial<WorkflowDraftWire>;

export interface Built {
  /** Files built from the draft; undefined until the first response. */
  data: BuiltWorkflowWire | undefined;
  /** Whether `data` was built from the current draft. */
  isCurrent: boolean;
  error: Error | null;
  isSound: boolean;
}

/** Keeps the two files of a workflow in step with a draft: the server builds them and reports their issues. */
export function useBuilt(draft: Draft): Built {
  const settled = useSettled(draft, 300);
  const query = useQuery({
    queryKey: ['admin', 'built', settled],
    queryFn: ({ signal }) => operatorApi.buildWorkflow({ body: settled, signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const { data, error, isFetching } = query;
  const isSound = data !== undefined && data.issues.architecture.length + data.issues.workflow.length === 0;
  return { data, error, isSound, isCurrent: settled === draft && !isFetching };
}
