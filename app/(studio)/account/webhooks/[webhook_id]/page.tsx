import { notFound } from 'next/navigation';
import { WebhookPage } from '#components/webhooks/webhook-page';
import { getPageAccount } from '#lib/auth/page-account';
import { AppError } from '#lib/errors';
import { getWebhook } from '#lib/webhooks/webhooks';

export const metadata = { title: 'Webhook' };

export default async function Webhook({ params }: PageProps<'/account/webhooks/[webhook_id]'>) {
  const { webhook_id } = await params;
  const account = await getPageAccount(`/account/webhooks/${webhook_id}`);
  await getWebhook(account.id, webhook_id).catch((error: unknown) => {
    if (error instanceof AppError) notFound();
    throw error;
  });
  return <WebhookPage id={webhook_id} />;
}
