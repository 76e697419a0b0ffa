'use client';

import { useState } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '#components/ui/empty-state';
import { ListRows } from '#components/ui/list-rows';
import { Moment } from '#components/ui/moment';
import { Panel } from '#components/ui/panel';
import { PagesView } from '#components/ui/pages-view';
import { SegmentedControl } from '#components/ui/segmented-control';
import { Switch } from '#components/ui/switch';
import { DeliveryDialog } from '#components/webhooks/delivery-dialog';
import { DeliveryState, NextTry } from '#components/webhooks/delivery-state';
import { deliveriesQuery, type DeliveryFilter } from '#lib/client/webhook-queries';
import type { DeliveryWire, WebhookWire } from '#lib/contract/webhook-schemas';

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Given up' },
];

/** Deliveries of a webhook, newest first, updated live. */
export function Deliveries({ webhook }: { webhook: WebhookWire }) {
  const [filter, setFilter] = useState('all');
  const [live, setLive] = useState(true);
  const [open, setOpen] = useState<string>();
  const status = filter === 'all' ? undefined : (filter as DeliveryFilter);
  const query = useInfiniteQuery(deliveriesQuery(webhook.id, status, live));
  return (
    <Panel
      title="Deliveries"
      aside={<Switch label="Live" checked={live} onChange={event => setLive(event.target.checked)} />}
    >
      <SegmentedControl
        label="Which deliveries"
        value={filter}
        onValueChange={setFilter}
        segments={FILTERS}
        className="justify-self-start"
      />
      <PagesView query={query} skeleton={<ListRows />}>
        {deliveries =>
          deliveries.length > 0 ? (
            <ul aria-label="Deliveries" className="grid">
              {deliveries.map(delivery => (
                <Row key={delivery.id} delivery={delivery} onOpen={() => setOpen(delivery.id)} />
              ))}
            </ul>
          ) : (
            <EmptyState title={status ? 'No such deliveries' : 'Nothing sent yet'}>
              {status
                ? 'Choose All to see the others.'
                : 'Send a test, or wait for a request to end. It appears here at once.'}
            </EmptyState>
          )
        }
      </PagesView>
      {open !== undefined && <DeliveryDialog webhook={webhook} id={open} onClose={() => setOpen(undefined)} />}
    </Panel>
  );
}

function Row({ delivery, onOpen }: { delivery: DeliveryWire; onOpen: () => void }) {
  const { event, tries, created_at } = delivery;
  return (
    <li className="animate-fade-in border-t last:border-b">
      <button
        type="button"
        onClick={onOpen}
        className="grid w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-1.5 py-3 text-left text-sm max-[18rem]:grid-cols-1 transition-colors hover:bg-ink/4 focus-visible:-outline-offset-2 sm:-mx-2 sm:w-[calc(100%+1rem)] sm:px-2 lg:grid-cols-[minmax(0,1fr)_8rem_12rem_9rem]"
      >
        <span className="min-w-0 truncate font-mono text-[0.8125rem]">{event}</span>
        <span className="justify-self-end lg:justify-self-start">
          <DeliveryState delivery={delivery} />
        </span>
        <span className="figures text-xs text-soft">
          <LastTry tries={tries} />
        </span>
        <span className="justify-self-end text-xs text-faint">
          {delivery.status === 'pending' && tries.length > 0 ? (
            <NextTry delivery={delivery} />
          ) : (
            <Moment at={created_at} />
          )}
        </span>
      </button>
    </li>
  );
}

function LastTry({ tries }: Pick<DeliveryWire, 'tries'>) {
  const last = tries.at(-1);
  if (!last) return 'not tried yet';
  const answer = last.status === null ? 'no answer' : `answered ${last.status}`;
  return `${answer} · ${last.ms.toLocaleString('en')} ms${tries.length > 1 ? ` · try ${tries.length}` : ''}`;
}
