import { cache } from 'react';
import { nameOf } from '#components/webhooks/name-of';
import { WebhookPage } from '#components/webhooks/webhook-page';
import { getPageAccount, orNotFound } from '#lib/auth/page-account';
import { getWebhook } from '#lib/webhooks/webhooks';

/** Returns the webhook, for its owner only. */
const read = cache(async (id: string) => orNotFound(getWebhook((await getPageAccount()).id, id)));

export async function generateMetadata({ params }: PageProps<'/account/webhooks/[webhook_id]'>) {
  return { title: nameOf(await read((await params).webhook_id)) };
}

export default async function Webhook({ params }: PageProps<'/account/webhooks/[webhook_id]'>) {
  return <WebhookPage id={(await read((await params).webhook_id)).id} />;
}
