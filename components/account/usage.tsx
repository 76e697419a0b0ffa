'use client';

import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { DAY, UsageChart } from '#components/account/usage-chart';
import { Emblem } from '#components/architectures/emblem';
import { architectureIdentity } from '#components/architectures/identity';
import { EmptyState } from '#components/ui/empty-state';
import { GemAmount } from '#components/ui/gem-amount';
import { QueryView } from '#components/ui/query-view';
import { SegmentedControl } from '#components/ui/segmented-control';
import { Skeleton } from '#components/ui/skeleton';
import { Table, type Column } from '#components/ui/table';
import { usageQuery, type UsageDays } from '#lib/client/account-queries';
import type { UsageWire } from '#lib/contract/gem-schemas';
import { many } from '#lib/contract/words';

/** Usage of the account, or of one of its keys, by day and architecture. `names` has the architectures' names by id. */
export function Usage({
  names,
  keyId,
  first,
}: {
  names: Record<string, string>;
  keyId?: string;
  /** Usage in the period shown first, when it came with the document. */
  first?: UsageWire;
}) {
  const [days, setDays] = useState<UsageDays>('30');
  const query = useQuery({
    ...usageQuery(days, keyId),
    ...(first && days === '30' && { initialData: first, initialDataUpdatedAt: 0 }),
  });
  return (
    <div className="grid grid-cols-1 gap-5">
      <SegmentedControl
        label="Period"
        className="justify-self-start"
        value={days}
        onValueChange={value => setDays(value as UsageDays)}
        segments={[
          { value: '30', label: '30 days' },
          { value: '90', label: '90 days' },
        ]}
      />
      <QueryView query={query} skeleton={<Skeleton className="h-56 w-full" />}>
        {usage =>
          usage.rows.length === 0 ? (
            <EmptyState title="Nothing spent yet">
              Requests of the last {usage.days} days appear here by day and model.
            </EmptyState>
          ) : (
            <Spent usage={usage} nameOf={id => names[id] ?? id} />
          )
        }
      </QueryView>
    </div>
  );
}

function Spent({ usage, nameOf }: { usage: UsageWire; nameOf: (id: string) => string }) {
  const shares = sharesOf(usage);
  const { failed } = usage.totals;
  return (
    <div className="grid grid-cols-1 gap-6">
      <UsageChart usage={usage} order={shares.map(({ architecture }) => architecture)} nameOf={nameOf} />
      <ul aria-label="By architecture" className="grid grid-cols-1 gap-x-8 gap-y-1 sm:grid-cols-2 lg:grid-cols-3">
        {shares.map(({ architecture, gems, requests }) => (
          <li key={architecture} className="flex flex-wrap items-center justify-end gap-x-2.5 py-1 text-sm">
            <span
              aria-hidden
              className="h-6 w-1 rounded-full"
              style={{ background: architectureIdentity(architecture).color }}
            />
            <Emblem id={architecture} className="size-6" />
            <span className="min-w-0 grow truncate">{nameOf(architecture)}</span>
            <span className="figures text-xs text-faint">{many(requests, 'request')}</span>
            <GemAmount gems={gems} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2 text-sm text-soft">
        <p>
          <GemAmount gems={usage.totals.gems} className="text-ink" /> for {many(usage.totals.requests, 'request')}
          {failed > 0 && `; ${failed.toLocaleString('en')} failed and ${failed === 1 ? 'was' : 'were'} refunded`}.
        </p>
      </div>
      <details className="text-sm">
        <summary className="finger-line w-fit text-soft hover:text-ink">As a table</summary>
        <div className="pt-4">
          <Table
            caption="Gems by day and model"
            rows={usage.rows.toReversed().map(row => ({ ...row, name: nameOf(row.architecture) }))}
            rowKey={({ date, architecture }) => `${date} ${architecture}`}
            columns={COLUMNS}
          />
        </div>
      </details>
    </div>
  );
}

/** Returns the totals of each architecture, by gems in descending order. */
function sharesOf({ rows }: UsageWire) {
  const shares = new Map<string, { architecture: string; gems: number; requests: number }>();
  for (const { architecture, gems, requests } of rows) {
    const share = shares.get(architecture) ?? { architecture, gems: 0, requests: 0 };
    shares.set(architecture, { architecture, gems: share.gems + gems, requests: share.requests + requests });
  }
  return [...shares.values()].sort((a, b) => b.gems - a.gems);
}

const COLUMNS: readonly Column<UsageWire['rows'][number] & { name: string }>[] = [
  // a date with the year would wrap on a phone
  {
    key: 'day',
    head: 'Day (UTC)',
    cell: ({ date }) => <span className="figures whitespace-nowrap">{DAY.format(new Date(date))}</span>,
  },
  { key: 'architecture', head: 'Model', cell: ({ name }) => name },
  { key: 'requests', head: 'Requests', number: true, cell: ({ requests }) => requests.toLocaleString('en') },
  { key: 'failed', head: 'Failed', number: true, cell: ({ failed }) => failed.toLocaleString('en') },
  { key: 'gems', head: 'Gems', number: true, cell: ({ gems }) => <GemAmount gems={gems} /> },
];
