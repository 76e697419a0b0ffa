'use client';

import { useEffect, useRef } from 'react';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { readAgain, useMatrices } from '#components/matrix/matrices';
import { BackLink } from '#components/ui/back-link';
import { Button } from '#components/ui/button';
import { EmptyState } from '#components/ui/empty-state';
import { focusPage } from '#components/ui/focus-back';
import { InPlace, onDemand } from '#components/ui/on-demand';
import { Skeleton } from '#components/ui/skeleton';
import { catalogQuery } from '#lib/client/queries';

// the server can render neither, and most visits need only one of them
const MatrixBuilder = onDemand(async () => (await import('#components/matrix/matrix-builder')).MatrixBuilder);
const MatrixRun = onDemand(async () => (await import('#components/matrix/matrix-run')).MatrixRun);

/** A new matrix of the model in the URL, or of the one used last; or an existing matrix (`run`). */
export function MatrixPage({ last }: { last: string | undefined }) {
  const { data: entries = [] } = useQuery(catalogQuery);
  const query = useSearchParams();
  const matrices = useMatrices();
  const run = query.get('run');
  const known = (model: string | null | undefined) => entries.find(({ id }) => id === model);
  const entry = known(query.get('model')) ?? known(last) ?? entries[0];
  useEffect(() => {
    addEventListener('storage', readAgain);
    return () => removeEventListener('storage', readAgain);
  }, []);
  useEffect(() => (run === null ? MatrixBuilder : MatrixRun).near(), [run]);
  const shown = useRef(run);
  useEffect(() => {
    // the link between the two was unmounted with the focus on it
    if (shown.current !== run && document.activeElement === document.body) focusPage();
    shown.current = run;
  }, [run]);
  if (!entry) return <EmptyState title="There are no models yet">The operator adds them to the catalog.</EmptyState>;
  // drafts and matrices are stored in the browser only
  if (!matrices) return <Loading isNew={run === null} />;
  const matrix = matrices.find(({ id }) => id === run);
  if (run === null || matrix)
    return (
      <InPlace fallback={<Loading isNew={!matrix} />}>
        {matrix ? (
          <MatrixRun key={run} matrix={matrix} entries={entries} />
        ) : (
          <MatrixBuilder key={entry.id} entry={entry} entries={entries} />
        )}
      </InPlace>
    );
  return (
    <EmptyState
      title="This browser does not have this matrix"
      action={
        <Button asChild tone="primary">
          <Link href="/matrix">New matrix</Link>
        </Button>
      }
    >
      A matrix is kept in the browser that made it. Its results are in the history of the account.
    </EmptyState>
  );
}

function Loading({ isNew }: { isNew: boolean }) {
  return (
    <div aria-busy="true" className="grid gap-6">
      <header className="grid gap-3">
        {isNew && <BackLink href="/create">Create</BackLink>}
        <h1 className="font-title text-head">Matrix</h1>
      </header>
      <Skeleton className="h-[60dvh]" />
    </div>
  );
}
