'use client';

import { useEffect } from 'react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Alert } from '#components/ui/alert';
import { paymentsQuery } from '#lib/client/account-queries';
import { many } from '#lib/contract/words';

/** Outcome of the payment from whose page the user returns. Polls while it is open, unless the user cancelled it. */
export function PaymentOutcome({ id, isCancelled }: { id: string; isCancelled: boolean }) {
  const queries = useQueryClient();
  const { data } = useInfiniteQuery({
    ...paymentsQuery,
    refetchInterval: ({ state }) => !isCancelled && find(state.data?.pages, id)?.status === 'open' && 1500,
  });
  const payment = find(data?.pages, id);
  const isBooked = payment?.status === 'succeeded';
  useEffect(() => {
    // the balance and the ledger on this page must show the payment, too
    if (isBooked) void queries.invalidateQueries({ queryKey: ['account'] });
  }, [isBooked, queries]);
  if (!payment) return null;
  const gems = many(payment.gems, 'gem');
  if (isBooked) return <Alert tone="good" title={`Thank you: ${gems} added.`} />;
  if (payment.status === 'failed') {
    return (
      <Alert tone="bad" title={`The payment for ${gems} failed. No gems were added.`}>
        {payment.error}
      </Alert>
    );
  }
  if (isCancelled) return <Alert title={`The payment for ${gems} was not made. Nothing was charged.`} />;
  return (
    <Alert title={`Thank you. ${gems} will be added as soon as the payment is confirmed.`}>
      That takes a few seconds.
    </Alert>
  );
}

const find = (
  pages: { data: { id: string; status: string; gems: number; error: string | null }[] }[] | undefined,
  id: string,
) => pages?.flatMap(page => page.data).find(payment => payment.id === id);
