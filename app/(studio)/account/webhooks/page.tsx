import { WebhooksPage } from '#components/webhooks/webhooks-page';
import { getPageAccount } from '#lib/auth/page-account';
import { catalog } from '#lib/catalog/catalog';
import { env } from '#lib/env';

export const metadata = { title: 'Webhooks' };

export default async function Webhooks() {
  await getPageAccount();
  const { id = 'mango' } = catalog().list()[0] ?? {};
  const example = `curl -X POST ${env().BASE_URL}/v1/${id}/generate \\
  -H "Authorization: Bearer $POMONA_KEY" -H "Content-Type: application/json" \\
  -H "Pomona-Webhook: https://example.com/hooks/pomona" \\
  -d '{"prompt":"a lighthouse at dusk"}'`;
  return <WebhooksPage example={example} />;
}
