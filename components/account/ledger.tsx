'use client';

import { useState } from 'react';
import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Emblem } from '#components/architectures/emblem';
import { nameOf } from '#components/generations/name-of';
import { Badge, type BadgeTone } from '#components/ui/badge';
import { Button } from '#components/ui/button';
import { Panel } from '#components/ui/panel';
import { EmptyState } from '#components/ui/empty-state';
import { GemAmount } from '#components/ui/gem-amount';
import { ListRows } from '#components/ui/list-rows';
import { Moment } from '#components/ui/moment';
import { PagesView } from '#components/ui/pages-view';
import { Select } from '#components/ui/select';
import { Table, type Column } from '#components/ui/table';
import { TextLink } from '#components/ui/text-link';
import { useIsListening } from '#components/ui/use-is-listening';
import { ledgerQuery, type LedgerKind } from '#lib/client/account-queries';
import { requestsQuery } from '#lib/client/request-queries';
import type { LedgerEntryWire, RequestWire } from '#lib/contract/schemas';

const LEDGER_KINDS = {
  opening: { label: 'Opening', tone: 'info', about: 'Gems the account started with' },
  grant: { label: 'Grant', tone: 'good', about: 'From the operator' },
  charge: { label: 'Charge', tone: 'neutral', about: 'A request' },
  refund: { label: 'Refund', tone: 'warn', about: 'A failed request, refunded' },
  top_up: { label: 'Top-up', tone: 'good', about: 'Bought' },
  reversal: { label: 'Reversal', tone: 'bad', about: 'A payment that was returned' },
} as const satisfies Record<LedgerKind, { label: string; tone: BadgeTone; about: string }>;

const KINDS = Object.entries(LEDGER_KINDS).map(([value, { label }]) => ({ value, label: `${label}s` }));

export function Ledger() {
  const [kind, setKind] = useState<LedgerKind>();
  const query = useInfiniteQuery(ledgerQuery(kind));
  const requests = useRequestsOf(query.data?.pages ?? []);
  return (
    <Panel
      title="Ledger"
      aside={
        <div className="flex flex-wrap items-center gap-3">
          <Select
            aria-label="Kind of entry"
            inert={!useIsListening()}
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
      <PagesView query={query} skeleton={<ListRows />}>
        {rows => (
          <Table
            caption="Ledger"
            rows={rows.map(row => withRequest(row, requests))}
            rowKey={({ id }) => String(id)}
            columns={LEDGER_COLUMNS}
            narrow="ledger-row"
            empty={
              <EmptyState title={kind ? 'No such entries' : 'No entries yet'}>
                {kind ? 'Choose another kind to see more.' : 'Every gem added or spent is listed here.'}
              </EmptyState>
            }
          />
        )}
      </PagesView>
    </Panel>
  );
}

/** A ledger entry, with its request where that is known. */
type LedgerRow = LedgerEntryWire & { request?: RequestWire };

const withRequest = (entry: LedgerEntryWire, requests: Map<string, RequestWire>): LedgerRow => {
  const request = entry.request_id && requests.get(entry.request_id);
  return request ? { ...entry, request } : entry;
};

/** Fetches the requests of the entries, one query per page. */
function useRequestsOf(pages: readonly { data: LedgerEntryWire[] }[]): Map<string, RequestWire> {
  const idsOf = ({ data }: { data: LedgerEntryWire[] }) => [
    ...new Set(data.flatMap(({ request_id }) => (request_id ? [request_id] : []))),
  ];
  return useQueries({
    queries: pages.map(page => requestsQuery(idsOf(page))),
    combine: answers =>
      new Map(answers.flatMap(({ data }) => data ?? []).map(request => [request.request_id, request])),
  });
}

export const LEDGER_COLUMNS: readonly Column<LedgerRow>[] = [
  {
    key: 'when',
    head: 'When',
    className: 'max-md:row-start-2 max-md:p-0',
    cell: ({ created_at }) => <Moment at={created_at} as="minute" className="figures whitespace-nowrap text-soft" />,
  },
  {
    key: 'kind',
    head: 'Kind',
    className: 'max-md:row-start-2 max-md:p-0',
    cell: ({ kind }) => <Badge tone={LEDGER_KINDS[kind].tone}>{LEDGER_KINDS[kind].label}</Badge>,
  },
  {
    key: 'what',
    head: 'What',
    className:
      'md:w-full md:max-w-0 md:min-w-48 max-md:col-span-2 max-md:p-0 max-[18rem]:w-full max-[18rem]:[contain:inline-size]',
    cell: row => <What row={row} />,
  },
  {
    key: 'gems',
    head: 'Gems',
    number: true,
    className: 'max-md:p-0',
    cell: ({ gems }) => <GemAmount gems={gems} signed className={gems > 0 ? 'text-leaf' : ''} />,
  },
  {
    key: 'balance',
    head: 'Balance',
    number: true,
    className: 'max-md:row-start-2 max-md:p-0 max-md:text-faint',
    cell: ({ balance_after }) => (
      <>
        <span aria-hidden className="md:hidden">
          balance{' '}
        </span>
        {balance_after.toLocaleString('en')}
      </>
    ),
  },
];

function What({ row: { kind, reason, request_id, request } }: { row: LedgerRow }) {
  if (!request_id) return <span className="text-soft">{reason ?? LEDGER_KINDS[kind].about}</span>;
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      {request && <Emblem id={request.architecture} className="size-5" />}
      <TextLink href={`/history/${request_id}`} className="finger-line self-baseline truncate decoration-1">
        {(request && nameOf(request)) || `Request ${request_id.slice(0, 8)}`}
      </TextLink>
    </span>
  );
}
