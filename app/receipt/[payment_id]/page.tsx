import { notFound } from 'next/navigation';
import { Receipt } from '#components/account/receipt';
import { paymentToWire } from '#lib/accounts/gems-overview';
import { findPayment } from '#lib/accounts/payments/payments';
import { getPageAccount } from '#lib/auth/page-account';
import { env } from '#lib/env';

export const metadata = { title: 'Receipt' };

export default async function ReceiptPage({ params }: PageProps<'/receipt/[payment_id]'>) {
  const { payment_id } = await params;
  const account = await getPageAccount();
  const payment = await findPayment(payment_id);
  if (payment?.accountId !== account.id || payment.status !== 'succeeded') notFound();
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
