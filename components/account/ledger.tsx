'use client';

import { useState } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Badge, type BadgeTone } from '#components/ui/badge';
import { Button } from '#components/ui/button';
import { Panel } from '#components/ui/card';
import { EmptyState } from '#components/ui/empty-state';
import { GemAmount } from '#components/ui/gem-amount';
import { Moment } from '#components/ui/moment';
import { PagesView } from '#components/ui/query-view';
import { Select } from '#components/ui/select';
import { Table, type Column } from '#components/ui/table';
import { TextLink } from '#components/ui/text-link';
import { ledgerQuery, type LedgerEntry, type LedgerKind } from '#lib/client/account-queries';

export const LEDGER_KINDS = {
  opening: { label: 'Opening', tone: 'info', about: 'Gems the account began with' },
  grant: { label: 'Grant', tone: 'good', about: 'From the operator' },
  charge: { label: 'Charge', tone: 'neutral', about: 'A request' },
  refund: { label: 'Refund', tone: 'warn', about: 'A failed request, paid back' },
  top_up: { label: 'Top-up', tone: 'good', about: 'Bought' },
} as const satisfies Record<LedgerKind, { label: string; tone: BadgeTone; about: string }>;

const KINDS = Object.entries(LEDGER_KINDS).map(([value, { label }]) => ({ value, label: `${label}s` }));

export function Ledger() {
  const [kind, setKind] = useState<LedgerKind>();
  const query = useInfiniteQuery(ledgerQuery(kind));
  return (
    <Panel
      title="Ledger"
      aside={
        <div className="flex flex-wrap items-center gap-3">
          <Select
            aria-label="Kind of entry"
            placeholder="All entries"
            options={KINDS}
            value={kind ?? ''}
            onChange={event => setKind((event.target.value || undefined) as LedgerKind | undefined)}
            className="w-40"
          />
          <Button asChild>
            <a href={`/api/account/ledger.csv${kind ? `?kind=${kind}` : ''}`} download>
              <Download className="size-4" aria-hidden />
              CSV
            </a>
          </Button>
        </div>
      }
    >
      <PagesView query={query}>
        {rows => (
          <Table
            caption="Ledger"
            rows={rows}
            rowKey={({ id }) => String(id)}
            columns={LEDGER_COLUMNS}
            empty={
              <EmptyState title={kind ? 'No such entries' : 'No entries yet'}>
                {kind ? 'Choose another kind to see more.' : 'Every gem that comes or goes is written down here.'}
              </EmptyState>
            }
          />
        )}
      </PagesView>
    </Panel>
  );
}

export const LEDGER_COLUMNS: readonly Column<LedgerEntry>[] = [
  {
    key: 'when',
    head: 'When',
    cell: ({ created_at }) => <Moment at={created_at} as="minute" className="figures whitespace-nowrap text-soft" />,
  },
  {
    key: 'kind',
    head: 'Kind',
    cell: ({ kind }) => <Badge tone={LEDGER_KINDS[kind].tone}>{LEDGER_KINDS[kind].label}</Badge>,
  },
  {
    key: 'what',
    head: 'What',
    className: 'min-w-48 max-w-80',
    cell: ({ kind, reason, request_id }) =>
      request_id ? (
        <TextLink href={`/history/${request_id}`} className="font-mono text-xs decoration-1">
          {request_id.slice(0, 8)}…{request_id.slice(-4)}
        </TextLink>
      ) : (
        <span className="text-soft">{reason ?? LEDGER_KINDS[kind].about}</span>
      ),
  },
  {
    key: 'gems',
    head: 'Gems',
    number: true,
    cell: ({ gems }) => <GemAmount gems={gems} signed className={gems > 0 ? 'text-leaf' : ''} />,
  },
  { key: 'balance', head: 'Balance', number: true, cell: ({ balance_after }) => balance_after.toLocaleString('en') },
];
