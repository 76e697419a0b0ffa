import { cache } from 'react';
import { notFound } from 'next/navigation';
import { Receipt } from '#components/account/receipt';
import { paymentToWire } from '#lib/accounts/gems-overview';
import { findPayment } from '#lib/accounts/payments/payments';
import { getPageAccount } from '#lib/auth/page-account';
import { env } from '#lib/env';

/** Returns a succeeded payment of the signed-in account; not found for any other. */
const read = cache(async (id: string) => {
  const account = await getPageAccount();
  const payment = await findPayment(id);
  if (payment?.accountId !== account.id || payment.status !== 'succeeded') notFound();
  return { account, payment };
});

export async function generateMetadata({ params }: PageProps<'/receipt/[payment_id]'>) {
  await read((await params).payment_id);
  return { title: 'Receipt' };
}

export default async function ReceiptPage({ params }: PageProps<'/receipt/[payment_id]'>) {
  const { account, payment } = await read((await params).payment_id);
  const { RECEIPT_SELLER, BASE_URL } = env();
  return (
    <Receipt
      payment={paymentToWire(payment)}
      buyer={{ name: account.name, email: account.email }}
      seller={RECEIPT_SELLER ?? null}
      place={new URL(BASE_URL).host}
    />
  );
}
