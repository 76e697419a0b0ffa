'use client';

import { useCallback, useState } from 'react';
import Link from 'next/link';
import { SquareCheck } from 'lucide-react';
import { CompareDialog } from '#components/history/compare-dialog';
import { DeleteDialog } from '#components/history/delete-dialog';
import { FilterBar, clearFilters } from '#components/history/filter-bar';
import { GalleryGrid } from '#components/history/gallery-grid';
import { isFiltered } from '#components/history/history-filter';
import { SelectionBar } from '#components/history/selection-bar';
import { pushAddress, replaceAddress, useHistoryAddress } from '#components/history/use-history-address';
import { useHistory, type FirstPage } from '#components/history/use-history';
import { useHistoryActs } from '#components/history/use-history-acts';
import { useSelection } from '#components/history/use-selection';
import { ViewerDialog } from '#components/history/viewer-dialog';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { EmptyState } from '#components/ui/empty-state';
import { Skeleton } from '#components/ui/skeleton';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestWire } from '#lib/contract/schemas';

const open = (id: string) => pushAddress({ view: id });

/** Everything the account has made: find it, look at it, keep it, use it again. */
export function HistoryPage({ first, entries }: { first: FirstPage; entries: readonly CatalogEntry[] }) {
  const { filter, viewed, compared } = useHistoryAddress();
  const { query, requests, live, more } = useHistory(filter, first);
  const { chosen, selected, isSelecting, begin, toggle, selectAll, clear } = useSelection(requests);
  const { setFavourite, remove } = useHistoryActs();
  const [deleting, setDeleting] = useState<readonly RequestWire[]>([]);

  const favour = useCallback(
    (request: RequestWire) => void setFavourite([request], !request.favourite),
    [setFavourite],
  );
  const deleteOne = useCallback(
    (request: RequestWire) => setDeleting(selected.length ? selected : [request]),
    [selected],
  );

  return (
    <div className="grid gap-5">
      <div className="flex items-end justify-between gap-4">
        <h1 className="font-title text-head">History</h1>
        {requests.length > 0 && !isSelecting && (
          <Button tone="ghost" onClick={begin} className="-mr-3">
            <SquareCheck className="size-4" aria-hidden />
            Select
          </Button>
        )}
      </div>
      <div className="sticky top-0 z-20 -mx-2 border-b bg-paper/95 px-2 py-3 backdrop-blur-sm">
        {isSelecting ? (
          <SelectionBar
            selected={selected}
            onFavourite={favourite => void setFavourite(selected, favourite)}
            onCompare={() => pushAddress({ compare: selected.map(({ request_id }) => request_id).join(',') })}
            onDelete={() => setDeleting(selected)}
            onSelectAll={selectAll}
            onClear={clear}
          />
        ) : (
          <FilterBar filter={filter} entries={entries} />
        )}
      </div>

      {query.isError && requests.length === 0 ? (
        <Alert
          tone="bad"
          title="The history did not load."
          action={
            <Button size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
              Try again
            </Button>
          }
        >
          {query.error.message}
        </Alert>
      ) : query.isPending ? (
        <Loading />
      ) : requests.length === 0 ? (
        <Nothing isNarrowed={isFiltered(filter)} />
      ) : (
        <GalleryGrid
          requests={requests}
          live={live}
          chosen={chosen}
          isSelecting={isSelecting}
          hasMore={query.hasNextPage}
          onNearEnd={more}
          onOpen={open}
          onSelect={toggle}
          onFavourite={favour}
          onSelectAll={selectAll}
          onDelete={deleteOne}
          onClear={clear}
        />
      )}
      <Tail query={query} />

      {viewed && (
        <ViewerDialog
          id={viewed}
          requests={requests}
          entries={entries}
          onGo={id => replaceAddress({ view: id })}
          onClose={() => replaceAddress({ view: null })}
          onNearEnd={more}
          onDelete={request => setDeleting([request])}
        />
      )}
      {compared.length === 2 && (
        <CompareDialog ids={[compared[0]!, compared[1]!]} onClose={() => replaceAddress({ compare: null })} />
      )}
      {deleting.length > 0 && (
        <DeleteDialog
          requests={deleting}
          onClose={() => setDeleting([])}
          onDelete={async requests => {
            if (viewed && requests.some(({ request_id }) => request_id === viewed)) leave(viewed, requests.length);
            if (await remove(requests)) clear();
          }}
        />
      )}
    </div>
  );

  /** The viewer goes on to the neighbour of what is deleted from it. */
  function leave(id: string, count: number) {
    const at = requests.findIndex(({ request_id }) => request_id === id);
    const next = count === 1 ? (requests[at + 1] ?? requests[at - 1]) : undefined;
    replaceAddress({ view: next?.request_id ?? null });
  }
}

function Tail({ query }: { query: ReturnType<typeof useHistory>['query'] }) {
  if (query.isFetchNextPageError) {
    return (
      <Alert
        tone="bad"
        title="The rest did not load."
        action={
          <Button size="sm" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Try again
          </Button>
        }
      />
    );
  }
  return query.isFetchingNextPage ? (
    <output className="py-4 text-center text-sm text-faint">Loading more</output>
  ) : null;
}

function Nothing({ isNarrowed }: { isNarrowed: boolean }) {
  if (isNarrowed) {
    return (
      <EmptyState title="Nothing here fits" action={<Button onClick={clearFilters}>Clear the filters</Button>}>
        No result has all of this. Take a filter away, or search for fewer words.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Your history is empty"
      action={
        <Button asChild tone="primary">
          <Link href="/create">Create something</Link>
        </Button>
      }
    >
      Everything you make is kept here for 30 days: pictures, films and sounds, with the settings that made them.
    </EmptyState>
  );
}

function Loading() {
  return (
    <output aria-busy aria-label="Loading" className="grid grid-cols-2 gap-3 pt-14 md:grid-cols-4">
      {Array.from({ length: 12 }, (_, index) => (
        <Skeleton key={index} className="h-52" />
      ))}
    </output>
  );
}
