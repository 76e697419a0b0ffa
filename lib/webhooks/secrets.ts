import { createHmac } from 'node:crypto';
import { Webhook as Signer } from 'standardwebhooks';
import type { webhooks } from '#lib/db/schema';
import { secret } from '#lib/secrets';

type Signing = Pick<typeof webhooks.$inferSelect, 'id' | 'secretVersion' | 'previousUntil'>;

/** Returns the signing secret of a webhook, which is derived from a secret of the deployment and never stored. */
export const secretOf = ({ id, secretVersion }: Pick<Signing, 'id' | 'secretVersion'>): string =>
  `whsec_${createHmac('sha256', secret('webhooks')).update(`${id}.${secretVersion}`).digest('base64')}`;

/** Returns the headers of a message (Standard Webhooks), signed with the secret and, while valid, the previous one. */
export function signedHeaders(webhook: Signing, id: string, body: string): Record<string, string> {
  const at = new Date();
  const before = { id: webhook.id, secretVersion: webhook.secretVersion - 1 };
  const overlaps = webhook.previousUntil !== null && webhook.previousUntil > at;
  const secrets = [secretOf(webhook), ...(overlaps ? [secretOf(before)] : [])];
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map(one => new Signer(one).sign(id, at, body)).join(' '),
  };
}
