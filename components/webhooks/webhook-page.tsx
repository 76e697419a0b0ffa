'use client';

import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ShownOnce } from '#components/account/shown-once';
import { useTitle } from '#components/layout/use-title';
import { Alert } from '#components/ui/alert';
import { BackLink } from '#components/ui/back-link';
import { Moment } from '#components/ui/moment';
import { PageView } from '#components/ui/query-view';
import { Deliveries } from '#components/webhooks/deliveries';
import { WebhookActs } from '#components/webhooks/webhook-acts';
import { WebhookState } from '#components/webhooks/webhook-state';
import { nameOf } from '#components/webhooks/name-of';
import { webhookQuery } from '#lib/client/webhook-queries';
import type { CreatedWebhookWire, WebhookWire } from '#lib/contract/webhook-schemas';

/** Page of a webhook: its state, and its deliveries. */
export function WebhookPage({ id }: { id: string }) {
  const query = useQuery(webhookQuery(id));
  const [rotated, setRotated] = useState<CreatedWebhookWire>();
  return (
    <div className="grid grid-cols-1 gap-8">
      <BackLink href="/account/webhooks">All webhooks</BackLink>
      <PageView query={query}>
        {webhook => (
          <>
            <Head webhook={webhook} />
            {rotated && (
              <ShownOnce title="New secret" secret={rotated.secret} copy="Copy secret" testId="new-secret">
                Copy it now; it is shown only once.{' '}
                {rotated.previous_secret_until && (
                  <>
                    Messages are also signed with the one before, until{' '}
                    <Moment at={rotated.previous_secret_until} as="minute" />.
                  </>
                )}
              </ShownOnce>
            )}
            <WebhookActs webhook={webhook} onRotated={setRotated} />
            {/* below the buttons, which would move when a delivery fails */}
            <Trouble webhook={webhook} />
            <Deliveries webhook={webhook} />
          </>
        )}
      </PageView>
    </div>
  );
}

function Head({ webhook }: { webhook: WebhookWire }) {
  const { url, events, created_at } = webhook;
  const name = nameOf(webhook);
  useTitle(name);
  return (
    <header className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="min-w-0 font-title text-title wrap-anywhere">{name}</h2>
        <WebhookState webhook={webhook} />
      </div>
      {url && <code className="font-mono text-[0.8125rem] break-all text-soft">{url}</code>}
      <p className="max-w-prose text-xs text-faint">
        {url
          ? `Sends ${events.join(', ')}. `
          : 'Covers every address that a request names in Pomona-Webhook. Create a secret to check what arrives there. '}
        Since <Moment at={created_at} as="day" />.
      </p>
    </header>
  );
}

/** Alert about a webhook that fails or was switched off because of failures. */
function Trouble({ webhook: { enabled, disabled_because, failing_since } }: { webhook: WebhookWire }) {
  if (!enabled && disabled_because !== 'owner')
    return (
      <Alert tone="bad" title="Nothing is sent here now.">
        {disabled_because === 'gone'
          ? 'It answered 410 Gone. Switch it on when it is back; what happened in the meantime is not sent.'
          : 'It accepted no message for five days. Switch it on when it is back; what happened in the meantime is not sent.'}
      </Alert>
    );
  if (!enabled || !failing_since) return null;
  return (
    <Alert tone="warn" title="It does not accept messages.">
      It began <Moment at={failing_since} />. Each is sent again for a day; after five days without an answer it is
      switched off.
    </Alert>
  );
}
