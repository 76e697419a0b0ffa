import { WebhookPage } from '#components/webhooks/webhook-page';
import { getPageAccount, orNotFound } from '#lib/auth/page-account';
import { getWebhook } from '#lib/webhooks/webhooks';

export const metadata = { title: 'Webhook' };

export default async function Webhook({ params }: PageProps<'/account/webhooks/[webhook_id]'>) {
  const { webhook_id } = await params;
  const account = await getPageAccount();
  await orNotFound(getWebhook(account.id, webhook_id));
  return <WebhookPage id={webhook_id} />;
}
