'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { Alert } from '#components/ui/alert';
import { paymentsQuery } from '#lib/client/account-queries';

/** How the payment ended from whose page the reader comes back; it is watched until it is confirmed. */
export function PaymentOutcome({ id }: { id: string }) {
  const { data } = useInfiniteQuery({
    ...paymentsQuery,
    refetchInterval: ({ state }) => (find(state.data?.pages, id)?.status === 'open' ? 1500 : false),
  });
  const payment = find(data?.pages, id);
  if (!payment) return null;
  const gems = `${payment.gems.toLocaleString('en')} gems`;
  if (payment.status === 'succeeded') return <Alert tone="good" title={`Thank you: ${gems} are booked.`} />;
  if (payment.status === 'failed') {
    return (
      <Alert tone="bad" title={`The payment for ${gems} failed. Nothing was booked.`}>
        {payment.error}
      </Alert>
    );
  }
  return (
    <Alert title={`Thank you. ${gems} are booked as soon as the payment is confirmed.`}>
      That takes a few seconds.
    </Alert>
  );
}

const find = (
  pages: { data: { id: string; status: string; gems: number; error: string | null }[] }[] | undefined,
  id: string,
) => pages?.flatMap(page => page.data).find(payment => payment.id === id);
