'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCcw, X } from 'lucide-react';
import { ApiError } from '#client/errors';
import { Button } from '#components/ui/button';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { GemAmount } from '#components/ui/gem-amount';
import { toast } from '#components/ui/toast';
import { api } from '#lib/client/queries';
import { runsQuery } from '#lib/client/recipe-queries';
import type { RunWire } from '#lib/contract/recipe-schemas';
import { isLive } from '#lib/status';
import { sum } from '#lib/sum';

/** Cancels a run, after saying that the gems of requests in progress are not refunded. */
export function CancelRun({ run }: { run: RunWire }) {
  const { run_id, steps } = run;
  const live = steps.flatMap(({ requests }) => requests.filter(({ status }) => isLive(status)));
  const gems = sum(live.map(({ billing }) => billing.gems_charged));
  const cancel = useAct(run, () => api.cancelRun({ params: { run_id } }));
  return (
    <ConfirmDialog
      title="Cancel the run?"
      description={
        <>
          {gems > 0 && (
            <>
              It is in progress, and <GemAmount gems={gems} /> will not be refunded.{' '}
            </>
          )}
          Finished results stay, and what has not started is not charged.
        </>
      }
      confirm="Stop it"
      leave="Keep it"
      act={cancel}
      trigger={
        <Button size="sm">
          <X className="size-4" aria-hidden /> Cancel
        </Button>
      }
    />
  );
}

/** Runs again what is missing, at the price on the button. */
export function RetryRun({ run }: { run: RunWire }) {
  const { run_id, billing } = run;
  const press = useMutation({
    mutationFn: useAct(run, () => {
      const headers = { 'max-gems': String(billing.gems_missing) };
      return api.retryRun({ params: { run_id }, headers });
    }),
    onError: error =>
      toast({
        // without an answer the run may still continue, which the refreshed list shows
        title: error instanceof ApiError && error.isPassing ? 'No answer came.' : 'Nothing was changed.',
        description: error.message,
        tone: 'bad',
      }),
  });
  return (
    <Button size="sm" busy={press.isPending} onClick={() => press.mutate()}>
      <RotateCcw className="size-4" aria-hidden /> Run what is missing <GemAmount gems={billing.gems_missing} />
    </Button>
  );
}

/** Performs an act, and refetches the runs whatever its outcome, because only the response may be lost. */
function useAct({ recipe }: RunWire, act: () => Promise<RunWire>) {
  const queries = useQueryClient();
  const { queryKey } = runsQuery(recipe);
  return async () => {
    try {
      const now = await act();
      queries.setQueryData(queryKey, runs => runs?.map(one => (one.run_id === now.run_id ? now : one)));
    } finally {
      void queries.invalidateQueries({ queryKey });
    }
  };
}
