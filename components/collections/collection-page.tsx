'use client';

import { useDeferredValue, useMemo, useState } from 'react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Ellipsis, Pencil, Share2, Trash2 } from 'lucide-react';
import { CollectionTile, type Place } from '#components/collections/collection-tile';
import { nameOf } from '#components/generations/name-of';
import { useRemovals } from '#components/generations/removals';
import { PageHead } from '#components/layout/page-head';
import { useTitle } from '#components/layout/use-title';
import { ask } from '#components/library/ask';
import { ConfirmDialog, Points } from '#components/ui/confirm-dialog';
import { onDemand, Opening } from '#components/ui/on-demand';
import { Viewing } from '#components/viewer/viewing';
import { Button } from '#components/ui/button';
import { DropdownMenu } from '#components/ui/dropdown-menu';
import type { MenuItem } from '#components/ui/dropdown-menu-open';
import { EmptyState } from '#components/ui/empty-state';
import { IconButton } from '#components/ui/icon-button';
import { PageView } from '#components/ui/query-view';
import { toast } from '#components/ui/toast';
import { useIsListening } from '#components/ui/use-is-listening';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { beginning } from '#lib/beginning';
import { studioApi } from '#lib/client/studio-api';
import { collectionQuery, collectionsQuery } from '#lib/client/library-queries';
import { orGone } from '#lib/client/or-gone';
import { outdateHistory } from '#lib/client/outdate-history';
import type { CollectionDetailWire } from '#lib/contract/library-schemas';

const CollectionForm = onDemand(async () => (await import('#components/collections/collection-form')).CollectionForm);

/** Number of items rendered at first, and by the server: as many as a large window shows. */
const AT_ONCE = 48;

/** A collection with its results, which can be reordered by dragging or by their menus. */
export function CollectionPage({ id }: { id: string }) {
  const query = useQuery(collectionQuery(id));
  return <PageView query={query}>{collection => <Opened collection={collection} />}</PageView>;
}

/** Returns a collection without the results that were deleted on this page. */
function useShown(collection: CollectionDetailWire): CollectionDetailWire {
  const removals = useRemovals();
  return useMemo(() => {
    const items = collection.items.filter(({ request_id }) => !removals.has(request_id));
    return { ...collection, items, count: items.length };
  }, [collection, removals]);
}

function Opened(props: { collection: CollectionDetailWire }) {
  const collection = useShown(props.collection);
  const { id, name, notes, count, cover, items } = collection;
  useTitle(name);
  const [asked, setAsked] = useState<'edit' | 'remove' | null>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const { move, take, setCover, said } = useCollectionActs(collection);
  const kept = useKeptFocus<HTMLUListElement>({ isList: true });
  const drawn = useDeferredValue(useIsListening() ? Infinity : AT_ONCE, AT_ONCE);
  const close = () => setAsked(null);
  return (
    <>
      <PageHead
        pages="Library"
        title={name}
        action={
          <div className="flex gap-2">
            {count > 0 && (
              <>
                <Button onClick={() => ask({ kind: 'share', of: { collection_id: id }, title: name })}>
                  <Share2 className="size-4" aria-hidden /> Share
                </Button>
                <Button asChild className="max-sm:hidden">
                  <a href={`/api/history/zip?collection=${id}`} download>
                    <Download className="size-4" aria-hidden /> Download all
                  </a>
                </Button>
              </>
            )}
            <DropdownMenu
              align="end"
              trigger={<IconButton label="More" icon={<Ellipsis className="size-5" aria-hidden />} />}
              items={[
                { label: 'Name and notes', icon: <Pencil aria-hidden />, onSelect: () => setAsked('edit') },
                ...(count > 0 ? [downloadOf(id)] : []),
                { kind: 'line' },
                { label: 'Remove', icon: <Trash2 aria-hidden />, danger: true, onSelect: () => setAsked('remove') },
              ]}
            />
          </div>
        }
      >
        {notes}
      </PageHead>
      {items.length === 0 ? (
        <EmptyState
          title="This collection is empty"
          action={
            <Button asChild tone="primary">
              <Link href="/history">Choose from the history</Link>
            </Button>
          }
        >
          Select results in the history, or choose “Collect” on any of them.
        </EmptyState>
      ) : (
        <ul
          {...kept}
          tabIndex={-1}
          className="grid grid-cols-[repeat(auto-fill,minmax(min(14rem,44%),1fr))] gap-4 outline-none"
        >
          {items.slice(0, drawn).map((request, index) => (
            <CollectionTile
              key={request.request_id}
              request={request}
              place={{ index, of: items.length }}
              isCover={cover?.request_id === request.request_id}
              isDragged={dragged === request.request_id}
              onCover={() => setCover(request.request_id)}
              onTake={() => take(request)}
              onMove={place => move(request.request_id, placeAfter(index, items.length, place))}
              onDrag={setDragged}
              onDrop={() => dragged && move(dragged, index)}
            />
          ))}
          {/* placeholders give the page its final height, so that going back restores the scroll position */}
          {items.slice(drawn).map(({ request_id }) => (
            <li key={request_id} aria-hidden className="mb-6 aspect-square rounded-md bg-sunk" />
          ))}
        </ul>
      )}
      <output className="sr-only">{said}</output>
      <Viewing requests={items} />
      <Opening onClose={close}>
        {asked === 'edit' && <CollectionForm collection={collection} onClose={close} />}
      </Opening>
      {asked === 'remove' && <RemoveCollection id={id} name={name} onClose={close} />}
    </>
  );
}

const downloadOf = (id: string): MenuItem => ({
  kind: 'link',
  label: 'Download all',
  icon: <Download aria-hidden />,
  href: `/api/history/zip?collection=${id}`,
  file: '',
});

const placeAfter = (index: number, of: number, place: Place): number =>
  ({ first: 0, earlier: Math.max(0, index - 1), later: Math.min(of - 1, index + 1), last: of - 1 })[place];

/** Optimistic changes of a collection, sent one after another. A refused change is reverted and reported. */
function useCollectionActs({ id, items }: CollectionDetailWire) {
  const queries = useQueryClient();
  const { queryKey } = collectionQuery(id);
  // queued changes are newer than the answer to this one
  const isLast = () => queries.isMutating({ mutationKey: queryKey }) === 1;
  const { mutate } = useMutation({
    mutationKey: queryKey,
    scope: { id: queryKey.join('/') },
    mutationFn: ({ send }: { shown: typeof items; send: () => Promise<CollectionDetailWire> }) => send(),
    onMutate: ({ shown }) => {
      void queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, old => old && { ...old, items: shown, count: shown.length });
    },
    onSuccess: answer => {
      if (isLast()) queries.setQueryData(queryKey, answer);
      outdateHistory(queries, 'collection');
      void queries.invalidateQueries({ queryKey: collectionsQuery.queryKey, exact: true });
    },
    onError: error => {
      toast({ tone: 'bad', title: 'The collection was not changed.', description: error.message });
      if (isLast()) void queries.invalidateQueries({ queryKey });
    },
  });
  // announced to screen readers
  const [said, setSaid] = useState('');
  const params = { collection_id: id };
  const without = (request_id: string) => items.filter(item => item.request_id !== request_id);
  return {
    said,
    /** Moves an item to an index of the current list. */
    move(request_id: string, to: number) {
      const rest = without(request_id);
      const moved = items.find(item => item.request_id === request_id)!;
      const shown = [...rest.slice(0, to), moved, ...rest.slice(to)];
      setSaid(`${beginning(nameOf(moved), 40)}: ${to + 1} of ${items.length}`);
      const body = { request_ids: [request_id], before: rest[to]?.request_id ?? null };
      mutate({ shown, send: () => studioApi.putItems({ params, body }) });
    },
    take(request: (typeof items)[number]) {
      const { request_id } = request;
      setSaid(`${beginning(nameOf(request), 40)}: removed`);
      mutate({ shown: without(request_id), send: () => studioApi.takeItems({ params, query: { ids: request_id } }) });
    },
    setCover(cover_id: string) {
      mutate({ shown: items, send: () => studioApi.changeCollection({ params, body: { cover_id } }) });
    },
  };
}

function RemoveCollection({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const queries = useQueryClient();
  const router = useRouter();
  return (
    <ConfirmDialog
      title={`Remove “${name}”?`}
      confirm="Remove the collection"
      leave="Keep"
      act={async () => {
        await orGone(studioApi.removeCollection({ params: { collection_id: id } }));
        await queries.invalidateQueries({ queryKey: collectionsQuery.queryKey, exact: true });
        void queries.invalidateQueries({ queryKey: collectionQuery(id).queryKey, refetchType: 'none' });
        // replaced, so that going back does not lead to the deleted collection
        router.replace('/collections');
      }}
      onClose={onClose}
    >
      <Points>
        <li>Its results stay in the history.</li>
        <li>Its shared page, if it has one, stops working.</li>
      </Points>
    </ConfirmDialog>
  );
}
