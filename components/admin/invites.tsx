'use client';

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { InviteDialog } from '#components/admin/invite-dialog';
import { Badge } from '#components/ui/badge';
import { Button } from '#components/ui/button';
import { EmptyState } from '#components/ui/empty-state';
import { ListRows } from '#components/ui/list-rows';
import { Moment } from '#components/ui/moment';
import { PagesView } from '#components/ui/pages-view';
import { Table, type Column } from '#components/ui/table';
import { operatorApi } from '#lib/client/operator-api';
import { invitesQuery } from '#lib/client/admin-queries';
import { orGone } from '#lib/client/or-gone';
import type { InviteWire } from '#lib/contract/admin-schemas';

export function Invites() {
  const query = useInfiniteQuery(invitesQuery);
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <p className="max-w-prose text-soft">
          An invitation link lets someone open an account, whatever sign-up is set to.
        </p>
        <InviteDialog />
      </div>
      <PagesView query={query} skeleton={<ListRows />}>
        {rows => (
          <Table
            caption="Invitations"
            rows={rows}
            rowKey={({ id }) => id}
            empty={
              <EmptyState title="No invitations yet">Create a link and send it to someone you want here.</EmptyState>
            }
            columns={COLUMNS}
            narrow="two-lines"
          />
        )}
      </PagesView>
    </div>
  );
}

const isOpen = ({ used_at, expires_at }: InviteWire) => used_at === null && Date.parse(expires_at) > Date.now();

function State({ invite }: { invite: InviteWire }) {
  if (invite.used_at) {
    return (
      <Badge tone="good">
        <span>
          Used <Moment at={invite.used_at} />
        </span>
      </Badge>
    );
  }
  if (!isOpen(invite)) return <Badge>Expired</Badge>;
  return (
    <Badge tone="info" dot>
      <span>
        Open, expires <Moment at={invite.expires_at} />
      </span>
    </Badge>
  );
}

const COLUMNS: readonly Column<InviteWire>[] = [
  {
    key: 'for',
    className: 'align-middle max-md:p-0 wrap-anywhere',
    head: 'For',
    cell: ({ email }) => email ?? <span className="text-soft">anyone with the link</span>,
  },
  {
    key: 'state',
    className: 'align-middle max-md:row-start-2 max-md:p-0',
    head: 'State',
    cell: invite => <State invite={invite} />,
  },
  {
    key: 'made',
    head: 'Created',
    className: 'align-middle max-md:hidden',
    cell: ({ created_at }) => <Moment at={created_at} className="whitespace-nowrap text-soft" />,
  },
  {
    key: 'withdraw',
    className: 'align-middle max-md:row-span-2 max-md:self-center max-md:p-0',
    head: <span className="sr-only">Withdraw</span>,
    number: true,
    cell: invite => isOpen(invite) && <Withdraw invite={invite} />,
  },
];

function Withdraw({ invite: { id, email } }: { invite: InviteWire }) {
  const queries = useQueryClient();
  const withdraw = () =>
    orGone(operatorApi.withdrawInvite({ params: { invite_id: id } })).finally(() =>
      queries.invalidateQueries({ queryKey: ['admin'] }),
    );
  return (
    <ConfirmDialog
      title="Withdraw the invitation?"
      description="Its link stops working."
      confirm="Withdraw"
      trigger={
        <Button size="sm">
          Withdraw<span className="sr-only"> {email ?? 'open invitation'}</span>
        </Button>
      }
      act={withdraw}
    />
  );
}
