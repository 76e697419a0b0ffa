'use client';

import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { EmptyState } from '#components/ui/empty-state';
import { Table, type Column } from '#components/ui/table';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { operatorApi } from '#lib/client/operator-api';
import type { Output } from '#lib/client/studio-api';

type Invariant = Output<'runLedgerCheck'>['invariants'][number];

/** Checks the invariants of gems, requests and outputs, which must hold after any crash. */
export function LedgerCheck() {
  // the last result stays visible until there is a new one
  const [found, setFound] = useState<Output<'runLedgerCheck'>>();
  const check = useMutation({ mutationFn: () => operatorApi.runLedgerCheck(), onSuccess: setFound });
  // the button moves when the first result arrives
  const kept = useKeptFocus();
  const broken = found?.invariants.filter(({ ok }) => !ok).length ?? 0;
  const run = (
    <Button tone="primary" busy={check.isPending} onClick={() => check.mutate()}>
      {found ? 'Check again' : 'Run the check'}
    </Button>
  );
  return (
    <div {...kept} className="grid grid-cols-1 gap-6">
      {check.error && (
        <Alert tone="bad" title={check.error.message}>
          {found && 'The last result is below.'}
        </Alert>
      )}
      {found && (
        <div className="flex flex-wrap items-start justify-between gap-4">
          <Alert
            className="grow"
            tone={found.ok ? 'good' : 'bad'}
            title={found.ok ? 'Everything adds up.' : `${broken} of ${found.invariants.length} checks failed.`}
          >
            {found.ok
              ? 'Every gem is accounted for.'
              : 'Back up the database before you change anything; the examples name the rows.'}
          </Alert>
          {run}
        </div>
      )}
      {found ? (
        <ul aria-label="Invariants" className="grid">
          {found.invariants.map(invariant => (
            <InvariantRow key={invariant.invariant} invariant={invariant} />
          ))}
        </ul>
      ) : (
        <EmptyState title="Not checked yet" action={run}>
          Reads every balance, ledger row, request and result, and reports what does not add up. It changes nothing.
        </EmptyState>
      )}
    </div>
  );
}

function InvariantRow({ invariant: { invariant, title, ok, broken, examples } }: { invariant: Invariant }) {
  const Mark = ok ? CircleCheck : CircleAlert;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-3 border-t py-3.5">
      <Mark className={`mt-0.5 size-5 ${ok ? 'text-leaf' : 'text-danger'}`} aria-hidden />
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <p className="first-letter:uppercase">
          {title}
          <span className="sr-only">: {ok ? 'holds' : 'broken'}</span>
        </p>
        <p className="figures text-sm text-faint">
          {invariant}
          {!ok && ` · ${broken.toLocaleString('en')} broken`}
        </p>
      </div>
      {examples.length > 0 && (
        <div className="col-start-2">
          <Table
            caption={`Examples: ${title}`}
            rows={examples}
            rowKey={({ id, what }) => `${what} ${id}`}
            columns={EXAMPLE_COLUMNS}
          />
        </div>
      )}
    </li>
  );
}

const EXAMPLE_COLUMNS: readonly Column<Invariant['examples'][number]>[] = [
  { key: 'what', head: 'What', cell: ({ what }) => what },
  { key: 'id', head: 'Row', cell: ({ id }) => <code className="font-mono text-xs">{id}</code> },
  { key: 'found', head: 'Found', number: true, cell: ({ found }) => found ?? '–' },
  { key: 'expected', head: 'Expected', number: true, cell: ({ expected }) => expected ?? '–' },
];
