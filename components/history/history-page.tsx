'use client';

import { memo, useCallback } from 'react';
import { SquareCheck } from 'lucide-react';
import type { Counted } from '#components/history/expiring-note';
import type { ModelName } from '#components/history/filter-bar';
import type { ServedFrame } from '#components/history/gallery-frame';
import { GalleryGrid } from '#components/history/gallery-grid';
import { isFiltered } from '#components/history/history-filter';
import { useHistoryFilter } from '#components/history/use-history-filter';
import { useHistory, type FirstPage } from '#components/generations/use-history';
import { useRequestActs } from '#components/generations/use-request-acts';
import { useSelection } from '#components/history/use-selection';
import { PhoneNav } from '#components/layout/phone-nav';
import { besidePage, InPlace, onDemand } from '#components/ui/on-demand';
import { openCompared, openInViewer } from '#components/viewer/use-view-address';
import { Viewing } from '#components/viewer/viewing';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { tileOneIsAt } from '#components/ui/focus-back';
import { QueryView } from '#components/ui/query-view';
import { Skeleton } from '#components/ui/skeleton';
import { useCloseRequests } from '#components/ui/use-close-requests';
import type { HistoryFilter } from '#lib/client/history-queries';
import type { RequestWire } from '#lib/contract/schemas';

const ExpiringNote = onDemand(async () => (await import('#components/history/expiring-note')).ExpiringNote);
const FilterBar = besidePage(async () => (await import('#components/history/filter-bar')).FilterBar);
const Nothing = onDemand(async () => (await import('#components/history/nothing')).Nothing);
const SelectionBar = onDemand(async () => (await import('#components/history/selection-bar')).SelectionBar);

/** Moves the focus to the current tile, because the pressed button disappears with its bar. */
const goToTile = () => tileOneIsAt()?.focus({ preventScroll: true });

/** The history of the account, with its filters, selection and viewer. */
export function HistoryPage({
  first,
  expiring,
  frame,
  models,
}: {
  first: FirstPage;
  /** Expiring results as the server counted them. */
  expiring: Counted;
  /** Assumed frame of the gallery, until the browser measures it. */
  frame: ServedFrame;
  models: readonly ModelName[];
}) {
  const filter = useHistoryFilter();
  const { query, requests, live, lookedAt, more, again } = useHistory(filter, first);
  const { chosen, selected, isSelecting, begin, toggle, selectAll, clear } = useSelection(requests);
  const { setFavourite, setKept, remove } = useRequestActs();
  const leaveSelection = () => {
    clear();
    goToTile();
  };
  useCloseRequests(leaveSelection, isSelecting);

  const favour = useCallback(
    (request: RequestWire) => void setFavourite([request], !request.favourite),
    [setFavourite],
  );
  const removeChosen = useCallback(
    (request: RequestWire) => remove(selected.length ? selected : [request]),
    [remove, selected],
  );

  return (
    <div className="grid grid-cols-1 gap-5">
      <PhoneNav pages="Library" />
      <div className="flex flex-wrap items-end justify-between gap-x-4 pointer-coarse:min-h-11">
        <h1 className="font-title text-head">History</h1>
        {requests.length > 0 && !isSelecting && (
          <Button
            tone="ghost"
            onClick={() => {
              begin();
              goToTile();
            }}
            onPointerEnter={SelectionBar.near}
            onFocus={SelectionBar.near}
            className="-mr-3"
          >
            <SquareCheck className="size-4" aria-hidden />
            Select
          </Button>
        )}
      </div>
      <div
        data-head
        className="sticky top-(--told) z-20 -mx-2 border-b bg-paper/95 px-2 py-3 backdrop-blur-sm short:static"
      >
        {isSelecting ? (
          <InPlace fallback={<div className="min-h-10" />}>
            <SelectionBar
              selected={selected}
              onFavourite={favourite => void setFavourite(selected, favourite)}
              onKeep={(requests, keep) => void setKept(requests, keep)}
              onCompare={() => openCompared(selected.map(({ request_id }) => request_id))}
              onDelete={() => remove(selected)}
              onSelectAll={selectAll}
              onClear={leaveSelection}
            />
          </InPlace>
        ) : (
          <Filters filter={filter} models={models} />
        )}
      </div>

      {!isFiltered(filter) && expiring.count > 0 && (
        // what the server sends of a lazy part may be drawn after the results: its room is kept
        <InPlace fallback={<div className="h-20.5 sm:h-13" />}>
          <ExpiringNote counted={expiring} />
        </InPlace>
      )}

      <QueryView query={query} skeleton={<Loading />}>
        {() =>
          requests.length === 0 && !query.hasNextPage ? (
            <InPlace>
              <Nothing isNarrowed={isFiltered(filter)} />
            </InPlace>
          ) : (
            <GalleryGrid
              requests={requests}
              served={frame}
              live={live}
              quarter={Math.floor(lookedAt / 900_000)}
              chosen={chosen}
              selected={selected}
              isSelecting={isSelecting}
              // after a failed load, an incomplete last row must not wait for more requests
              hasMore={query.hasNextPage && !again}
              onNearEnd={more}
              onOpen={openInViewer}
              onSelect={toggle}
              onFavourite={favour}
              onSelectAll={selectAll}
              onDelete={removeChosen}
            />
          )
        }
      </QueryView>
      <Tail query={query} />

      <Viewing requests={requests} onNearEnd={more} onPastEnd={again} />
    </div>
  );
}

/** Memoised so that re-renders around it leave the server-rendered filters in place until their code has loaded. */
const Filters = memo((props: { filter: HistoryFilter; models: readonly ModelName[] }) => (
  <InPlace fallback={<div className="min-h-10 pointer-coarse:min-h-11" />}>
    <FilterBar {...props} />
  </InPlace>
));

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

function Loading() {
  return (
    <div className="grid grid-cols-2 gap-3 pt-14 md:grid-cols-4">
      {Array.from({ length: 12 }, (_, index) => (
        <Skeleton key={index} className="h-52" />
      ))}
    </div>
  );
}
