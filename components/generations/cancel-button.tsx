'use client';

import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { CircleStop } from 'lucide-react';
import { Button } from '#components/ui/button';
import { cn } from '#components/ui/cn';
import { GemAmount } from '#components/ui/gem-amount';
import { toast } from '#components/ui/toast';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { liveRequestsQuery } from '#lib/client/live-requests';
import { api } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

/** Cancels a live request, after saying that its gems are not refunded, even if it has not started. */
export function CancelButton({
  request: { request_id, billing, status },
  className,
  asking,
}: {
  request: Pick<RequestWire, 'request_id' | 'billing' | 'status'>;
  className: string;
  /** Classes that are added while it asks for confirmation. */
  asking?: string;
}) {
  const queries = useQueryClient();
  const [step, setStep] = useState<'idle' | 'asked' | 'busy'>('idle');
  const kept = useKeptFocus();
  const cancel = async () => {
    setStep('busy');
    try {
      await api.cancelRequest({ params: { request_id } });
      await queries.invalidateQueries({ queryKey: liveRequestsQuery.queryKey });
    } catch (error) {
      toast({ title: 'It was not cancelled.', description: error instanceof Error ? error.message : '', tone: 'bad' });
    }
    setStep('idle');
  };
  if (step === 'idle') {
    return (
      <div {...kept} className="contents">
        <Button tone="ghost" size="sm" onClick={() => setStep('asked')} className={className}>
          <CircleStop className="size-4" aria-hidden />
          Cancel
        </Button>
      </div>
    );
  }
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- these are not form fields, so no fieldset
    <div {...kept} role="group" aria-label="Cancel it?" className={cn('grid gap-1.5', className, asking)}>
      <output className="text-xs">
        {status === 'queued' ? 'It has not started, but ' : ''}
        <GemAmount gems={billing.gems_charged} /> will not be refunded.
      </output>
      <div className="flex gap-1.5 @max-[15rem]:[&>*]:px-2">
        <Button tone="danger" size="sm" busy={step === 'busy'} onClick={() => void cancel()}>
          Stop it
        </Button>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the pressed button has been removed */}
        <Button size="sm" autoFocus onClick={() => setStep('idle')}>
          Keep it
        </Button>
      </div>
    </div>
  );
}
