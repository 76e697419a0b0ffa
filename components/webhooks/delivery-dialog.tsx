'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '#components/ui/button';
import { CodeBlock } from '#components/ui/code-block';
import { Dialog } from '#components/ui/dialog';
import { Moment } from '#components/ui/moment';
import { QueryView } from '#components/ui/query-view';
import { Refused } from '#components/ui/refused';
import { TextLink } from '#components/ui/text-link';
import { DeliveryState, NextTry } from '#components/webhooks/delivery-state';
import { api } from '#lib/client/queries';
import { deliveryQuery } from '#lib/client/webhook-queries';
import type { DeliveryDetailWire, WebhookWire } from '#lib/contract/webhook-schemas';

/** One delivery: its request, and the response to each attempt. */
export function DeliveryDialog({ webhook, id, onClose }: { webhook: WebhookWire; id: string; onClose: () => void }) {
  const query = useQuery(deliveryQuery(webhook.id, id));
  const queries = useQueryClient();
  const resend = useMutation({
    mutationFn: () => api.resendDelivery({ params: { webhook_id: webhook.id, delivery_id: id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  return (
    <Dialog
      shape="wide"
      title={query.data?.event ?? 'Delivery'}
      open
      onOpenChange={open => !open && onClose()}
      footer={
        <Button tone="primary" busy={resend.isPending} disabled={!webhook.enabled} onClick={() => resend.mutate()}>
          Send again
        </Button>
      }
    >
      <div className="grid grid-cols-1 gap-6">
        <Refused refusal={resend.error} />
        <QueryView query={query}>{delivery => <Message delivery={delivery} />}</QueryView>
      </div>
    </Dialog>
  );
}

function Message({ delivery }: { delivery: DeliveryDetailWire }) {
  const { event, url, source_id, created_at, headers, body, tries } = delivery;
  return (
    <>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm [&_dt]:text-faint">
        <dt>State</dt>
        <dd className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <DeliveryState delivery={delivery} />
          <span className="text-soft">
            <NextTry delivery={delivery} />
          </span>
        </dd>
        <dt>Sent to</dt>
        <dd className="font-mono text-[0.8125rem] break-all">{url}</dd>
        <dt>Since</dt>
        <dd>
          <Moment at={created_at} as="minute" />
        </dd>
        {source_id && event.startsWith('request.') && (
          <>
            <dt>About</dt>
            <dd>
              <TextLink href={`/history/${source_id}`}>the request</TextLink>
            </dd>
          </>
        )}
      </dl>
      <section aria-label="Tries" className="grid grid-cols-1 gap-3">
        <h3 className="font-medium">{tries.length === 1 ? 'One try' : `${tries.length} tries`}</h3>
        {tries.length === 0 && <p className="text-sm text-soft">It will be sent in a moment.</p>}
        <ol className="grid gap-3">
          {tries.toReversed().map(made => (
            <li key={made.at} className="grid grid-cols-1 gap-2 border-l-2 pl-4 text-sm">
              <p className="figures flex flex-wrap gap-x-3 text-soft">
                <strong className="font-medium text-ink">{made.status ?? made.error}</strong>
                <span>{made.ms.toLocaleString('en')} ms</span>
                <Moment at={made.at} as="minute" />
              </p>
              {made.answer && (
                <pre
                  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be focusable
                  tabIndex={0}
                  className="max-h-40 overflow-auto rounded-md border bg-sunk px-3 py-2 font-mono text-xs break-all whitespace-pre-wrap"
                >
                  {made.answer}
                </pre>
              )}
            </li>
          ))}
        </ol>
      </section>
      <CodeBlock title="request" code={requestText(headers, body)} />
    </>
  );
}

const requestText = (headers: Record<string, string>, body: string): string =>
  `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}\n\n${JSON.stringify(JSON.parse(body), null, 2)}`;
