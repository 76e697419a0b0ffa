'use client';

import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '#client/errors';
import { ask } from '#components/library/ask';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { GemAmount } from '#components/ui/gem-amount';
import { liveRequestsQuery } from '#lib/client/live-requests';
import { api } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';
import { sum } from '#lib/sum';

/** Confirms the cancellation of several live requests. A request that has finished meanwhile is not an error. */
export function CancelDialog({ requests }: { requests: readonly RequestWire[] }) {
  const queries = useQueryClient();
  const cancel = async () => {
    const answers = await Promise.allSettled(
      requests.map(({ request_id }) => api.cancelRequest({ params: { request_id } })),
    );
    await queries.invalidateQueries({ queryKey: liveRequestsQuery.queryKey });
    const fault = answers.find(answer => answer.status === 'rejected' && !isOverAlready(answer.reason));
    if (fault?.status === 'rejected') throw fault.reason;
  };
  return (
    <ConfirmDialog
      title={`Cancel these ${requests.length}?`}
      description={
        <>
          <GemAmount gems={sum(requests.map(({ billing }) => billing.gems_charged))} /> will not be refunded, even for
          what has not started.
        </>
      }
      confirm="Stop them"
      leave="Keep them"
      act={cancel}
      onClose={() => ask(null)}
    />
  );
}

const isOverAlready = (error: unknown): boolean => error instanceof ApiError && error.code === 'request_finished';
