import type { WebhookWire } from '#lib/contract/webhook-schemas';

/** Returns the description of a webhook, or else its host. */
export const nameOf = ({ url, description }: Pick<WebhookWire, 'url' | 'description'>): string =>
  description ?? (url ? new URL(url).host : 'Addresses named in requests');
