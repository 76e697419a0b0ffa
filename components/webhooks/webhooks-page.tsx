'use client';

import { useState } from 'react';
import Link from 'next/link';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Plus } from 'lucide-react';
import { ShownOnce } from '#components/account/shown-once';
import { Button } from '#components/ui/button';
import { CodeBlock } from '#components/ui/code-block';
import { EmptyState } from '#components/ui/empty-state';
import { ListRows } from '#components/ui/list-rows';
import { Moment } from '#components/ui/moment';
import { Panel } from '#components/ui/panel';
import { QueryView } from '#components/ui/query-view';
import { TextLink } from '#components/ui/text-link';
import { nameOf } from '#components/webhooks/name-of';
import { WebhookDialog } from '#components/webhooks/webhook-dialog';
import { WebhookState } from '#components/webhooks/webhook-state';
import { webhooksQuery } from '#lib/client/webhook-queries';
import type { CreatedWebhookWire, WebhookWire } from '#lib/contract/webhook-schemas';
import { EVENTS } from '#lib/events';

/** The Webhooks tab: URLs that receive events. */
export function WebhooksPage({ example }: { example: string }) {
  const [created, setCreated] = useState<CreatedWebhookWire>();
  const query = useQuery(webhooksQuery);
  return (
    <div className="grid grid-cols-1 gap-12">
      <section aria-label="Webhooks" className="grid grid-cols-1 gap-6">
        <div className="flex flex-wrap items-end justify-between gap-4">
          <p className="max-w-prose text-soft">
            Pomona posts to these addresses when a request ends, gems run low or results expire. Messages are signed;{' '}
            <TextLink href="/docs/webhooks">the docs</TextLink> say how to check the signature.
          </p>
          <WebhookDialog
            onCreated={setCreated}
            trigger={
              <Button tone="primary">
                <Plus className="size-4" aria-hidden />
                Add webhook
              </Button>
            }
          />
        </div>
        {created && (
          <ShownOnce title="Signing secret" secret={created.secret} copy="Copy secret" testId="new-secret">
            Copy it now to where {created.url && new URL(created.url).host} checks what arrives. It is shown only once.
          </ShownOnce>
        )}
        <QueryView query={query} skeleton={<ListRows />}>
          {webhooks =>
            webhooks.length > 0 ? (
              <ul aria-label="Webhooks" className="grid">
                {webhooks.map(webhook => (
                  <Row key={webhook.id} webhook={webhook} />
                ))}
              </ul>
            ) : (
              <EmptyState title="No webhooks yet">
                Add one to be told of results instead of polling for them.
              </EmptyState>
            )
          }
        </QueryView>
      </section>
      <Panel title="For one request">
        <p className="max-w-prose text-sm text-soft">
          A request can name an address of its own. It gets one message when that request ends, besides the webhooks
          above.
        </p>
        <CodeBlock title="shell" code={example} />
      </Panel>
    </div>
  );
}

function Row({ webhook }: { webhook: WebhookWire }) {
  const { id, url, events, created_at } = webhook;
  return (
    <li className="border-t">
      <Link
        href={`/account/webhooks/${id}`}
        className="group flex items-center gap-4 py-4 transition-colors hover:bg-ink/4 focus-visible:-outline-offset-2 sm:-mx-2 sm:px-2"
      >
        <div className="grid min-w-0 grow gap-1">
          <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span className="font-medium wrap-anywhere">{nameOf(webhook)}</span>
            <WebhookState webhook={webhook} />
          </p>
          {url && <p className="truncate font-mono text-xs text-soft">{url}</p>}
          <p className="text-xs text-faint">
            {url === null
              ? 'When those requests end'
              : events.length === EVENTS.length
                ? 'Everything'
                : events.join(', ')}{' '}
            · since <Moment at={created_at} as="day" />
          </p>
        </div>
        <ChevronRight className="size-4 shrink-0 text-faint group-hover:text-ink" aria-hidden />
      </Link>
    </li>
  );
}
