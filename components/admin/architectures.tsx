'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { Emblem } from '#components/architectures/emblem';
import { Badge } from '#components/ui/badge';
import { Button } from '#components/ui/button';
import { EmptyState } from '#components/ui/empty-state';
import { GemAmount } from '#components/ui/gem-amount';
import { ListRows } from '#components/ui/list-rows';
import { QueryView } from '#components/ui/query-view';
import { Table, type Column } from '#components/ui/table';
import { toast } from '#components/ui/toast';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { operatorApi } from '#lib/client/operator-api';
import { allArchitecturesQuery } from '#lib/client/admin-queries';
import type { AdminArchitectureWire } from '#lib/contract/admin-schemas';

export function Architectures() {
  const query = useQuery(allArchitecturesQuery);
  return (
    <div className="grid grid-cols-1 gap-6">
      <p className="max-w-prose text-soft">
        A retired architecture takes no new requests and leaves the catalog; requests in flight are finished. What is
        set here overrides the file in the catalog folder.
      </p>
      <QueryView query={query} skeleton={<ListRows />}>
        {rows => (
          <Table
            caption="Architectures"
            rows={rows}
            rowKey={({ id }) => id}
            empty={
              <EmptyState title="The catalog is empty">
                Put a JSON file for each model into architectures/ of the catalog folder.
              </EmptyState>
            }
            columns={COLUMNS}
          />
        )}
      </QueryView>
    </div>
  );
}

function State({ row: { state, override, engine } }: { row: AdminArchitectureWire }) {
  return (
    <span className="grid justify-items-start gap-1">
      <Badge tone={state === 'live' ? (engine ? 'good' : 'warn') : 'neutral'} dot>
        {state === 'live' ? 'Live' : 'Retired'}
      </Badge>
      {override && <span className="text-xs text-faint">set by an operator</span>}
    </span>
  );
}

function Change({ row: { id, name, state, override, file_state } }: { row: AdminArchitectureWire }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (to: 'live' | 'retired' | null) =>
      operatorApi.changeArchitecture({ params: { architecture: id }, body: { state: to } }),
    onSuccess: async row => {
      await queries.invalidateQueries({ queryKey: ['admin'] });
      toast({ tone: 'good', title: `${name} is now ${row.state}.` });
    },
  });
  // only for Revive; the dialog of Retire shows its own error
  const onError = ({ message }: Error) =>
    toast({ tone: 'bad', title: `${name} was not changed.`, description: message });
  // each of the two buttons replaces the other
  const kept = useKeptFocus();
  const other = state === 'live' ? 'retired' : 'live';
  // the state in the file needs no override
  const to = override !== null && other === file_state ? null : other;
  return (
    <div {...kept}>
      {state === 'live' ? (
        <ConfirmDialog
          title={`Retire ${name}?`}
          description="It leaves the catalog at once and takes no new requests, through the API either. Requests in flight are finished, and you can revive it at any time."
          confirm="Retire it"
          act={() => change.mutateAsync(to)}
          trigger={
            <Button size="sm">
              Retire<span className="sr-only"> {name}</span>
            </Button>
          }
        />
      ) : (
        <Button size="sm" busy={change.isPending} onClick={() => change.mutate(to, { onError })}>
          Revive<span className="sr-only"> {name}</span>
        </Button>
      )}
    </div>
  );
}

const ServedBy = ({ row: { engine } }: { row: AdminArchitectureWire }) =>
  engine ? (
    <code className="font-mono text-xs">{engine}</code>
  ) : (
    <span className="text-amber">none, so it is not offered</span>
  );

const COLUMNS: readonly Column<AdminArchitectureWire>[] = [
  {
    key: 'name',
    className: 'align-middle',
    head: 'Architecture',
    cell: row => (
      <span className="flex items-center gap-3">
        <Emblem id={row.id} className="size-7" />
        <span className="grid">
          <span className="font-medium">{row.name}</span>
          <span className="text-xs text-faint">
            {row.id} · {row.type}
          </span>
          {/* these have no columns of their own on phones */}
          <span className="flex flex-wrap gap-x-3 text-xs text-faint sm:hidden">
            <span>
              Engine: <ServedBy row={row} />
            </span>
            <GemAmount gems={row.gems} />
          </span>
        </span>
      </span>
    ),
  },
  { key: 'state', className: 'align-middle', head: 'State', cell: row => <State row={row} /> },
  {
    key: 'engine',
    head: 'Engine',
    className: 'align-middle max-sm:hidden',
    cell: row => <ServedBy row={row} />,
  },
  {
    key: 'price',
    head: 'Price',
    number: true,
    className: 'align-middle max-sm:hidden',
    cell: ({ gems }) => <GemAmount gems={gems} />,
  },
  {
    key: 'act',
    className: 'align-middle',
    head: <span className="sr-only">Change</span>,
    number: true,
    cell: row => <Change row={row} />,
  },
];
