'use client';

import { useQuery } from '@tanstack/react-query';
import { QueryView } from '#components/ui/query-view';
import { Table, type Column } from '#components/ui/table';
import { formatBytes } from '#components/ui/format-bytes';
import { ListRows } from '#components/ui/list-rows';
import { limitsQuery } from '#lib/client/admin-queries';
import type { LimitWire } from '#lib/contract/admin-schemas';

const PARTS: Record<LimitWire['of'], string> = {
  account: 'Per account',
  address: 'Per network address',
  process: 'Per web process',
};

/** All limits: their current values, the settings that change them, and how often each was reached. */
export function Limits() {
  const query = useQuery(limitsQuery);
  return (
    <QueryView query={query} skeleton={<ListRows />}>
      {limits => (
        <div className="grid grid-cols-1 gap-10">
          <p className="max-w-prose text-soft">
            Settings are environment variables; a change applies after a restart. Counts are from the process that
            answered, since it started; /metrics has them for every process.
          </p>
          {Object.entries(PARTS).map(([of, title]) => (
            <section key={of} className="grid grid-cols-1 gap-2">
              <h2 className="font-title text-title">{title}</h2>
              <Table
                caption={title}
                rows={limits.filter(limit => limit.of === of)}
                rowKey={({ setting }) => setting}
                columns={COLUMNS}
              />
            </section>
          ))}
        </div>
      )}
    </QueryView>
  );
}

const COLUMNS: readonly Column<LimitWire>[] = [
  {
    key: 'about',
    head: 'Limit',
    cell: ({ about, setting, metric }) => (
      <div className="grid gap-1 sm:min-w-60">
        <p>{about}</p>
        <code className="font-mono text-xs wrap-anywhere text-faint" title={metric}>
          {setting}
        </code>
      </div>
    ),
  },
  { key: 'most', head: 'Now', number: true, cell: ({ most, unit }) => figure(most, unit) },
  {
    key: 'fallback',
    head: 'Default',
    number: true,
    className: 'max-sm:hidden',
    cell: ({ fallback, unit }) => figure(fallback, unit),
  },
  {
    key: 'error',
    head: 'Error',
    className: 'max-sm:hidden',
    cell: ({ error }) => <code className="font-mono text-xs">{error ?? '–'}</code>,
  },
  { key: 'reached', head: 'Reached', number: true, cell: ({ reached }) => reached.toLocaleString('en') },
];

const figure = (value: number, unit: LimitWire['unit']): string =>
  unit === 'bytes' ? formatBytes(value) : `${value.toLocaleString('en')}${unit === 'seconds' ? ' s' : ''}`;
