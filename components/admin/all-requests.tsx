'use client';

import { useState } from 'react';
import { useSearchParams } from 'next/navigation';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { RequestRow } from '#components/admin/request-row';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { EmptyState } from '#components/ui/empty-state';
import { ListRows } from '#components/ui/list-rows';
import { PagesView } from '#components/ui/pages-view';
import { SegmentedControl } from '#components/ui/segmented-control';
import { TextLink } from '#components/ui/text-link';
import { toast } from '#components/ui/toast';
import { replaceAddress } from '#components/viewer/use-view-address';
import { operatorApi } from '#lib/client/operator-api';
import { allRequestsQuery, type RequestView } from '#lib/client/admin-queries';
import type { AdminRequestWire } from '#lib/contract/admin-schemas';

const VIEWS: Record<RequestView, { label: string; empty: string; next: string }> = {
  live: { label: 'Live', empty: 'Nothing is running', next: 'Requests appear here until they are finished.' },
  stuck: {
    label: 'Stuck',
    empty: 'Nothing is stuck',
    next: 'A live request appears here when it has not moved for too long.',
  },
  failed: {
    label: 'Failed',
    empty: 'Nothing failed',
    next: 'Failed requests appear here with their cause. They are refunded.',
  },
  all: { label: 'All', empty: 'No requests yet', next: 'They appear here as soon as someone submits one.' },
};

/** Requests of all accounts, or of one; `?status` in the address names the view. */
export function AllRequests({ accountId }: { accountId?: string }) {
  const asked = useSearchParams().get('status') ?? '';
  const view = isView(asked) ? asked : accountId ? 'all' : 'live';
  const query = useInfiniteQuery(allRequestsQuery(view, accountId));
  // held outside of the row, which disappears when the request ends
  const [stopping, setStopping] = useState<AdminRequestWire | null>(null);
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <SegmentedControl
          label="Which requests"
          value={view}
          onValueChange={status => replaceAddress({ status })}
          segments={Object.entries(VIEWS).map(([value, { label }]) => ({ value, label }))}
        />
        {accountId && (
          <p className="text-sm text-soft">
            Of one account.{' '}
            <TextLink href="/admin/requests" className="decoration-1">
              Show all accounts
            </TextLink>
          </p>
        )}
      </div>
      <PagesView query={query} skeleton={<ListRows />}>
        {rows =>
          rows.length > 0 ? (
            <ul aria-label={`${VIEWS[view].label} requests`} className="grid">
              {rows.map(request => (
                <RequestRow key={request.request_id} request={request} onStop={() => setStopping(request)} />
              ))}
            </ul>
          ) : (
            <EmptyState title={VIEWS[view].empty}>{VIEWS[view].next}</EmptyState>
          )
        }
      </PagesView>
      {stopping && <StopDialog request={stopping} onClose={() => setStopping(null)} />}
    </div>
  );
}

const isView = (value: string): value is RequestView => Object.hasOwn(VIEWS, value);

function StopDialog({ request, onClose }: { request: AdminRequestWire; onClose: () => void }) {
  const queries = useQueryClient();
  const stop = async () => {
    await operatorApi
      .stopRequest({ params: { request_id: request.request_id } })
      .finally(() => queries.invalidateQueries({ queryKey: ['admin', 'requests'] }));
    toast({ title: 'Request cancelled.' });
  };
  return (
    <ConfirmDialog
      title="Cancel this request?"
      description={`It belongs to ${request.account.email}. Cancelled requests are not refunded; grant gems if they should be.`}
      confirm="Cancel request"
      leave="Keep it"
      act={stop}
      onClose={onClose}
    />
  );
}
