'use client';

import '#components/ui/style-nonce';
import { useEffect, useState, type KeyboardEvent } from 'react';
import Link from 'next/link';
import { Dialog } from 'radix-ui';
import { ChevronLeft, ChevronRight, SquareArrowOutUpRight, X } from 'lucide-react';
import { useRequestActs } from '#components/generations/use-request-acts';
import { Viewer } from '#components/viewer/viewer';
import { replaceAddress, viewedNow } from '#components/viewer/use-view-address';
import { ViewerActs } from '#components/viewer/viewer-acts';
import { Button } from '#components/ui/button';
import { closeStep } from '#components/ui/close-step';
import { tileOneIsAt } from '#components/ui/focus-back';
import { IconButton } from '#components/ui/icon-button';
import { closeLast, useCloseRequests } from '#components/ui/use-close-requests';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestWire } from '#lib/contract/schemas';

const close = () => closeStep(() => replaceAddress({ view: null }));

/** The viewer over a list; arrow keys go from one result to the next, in the order of the list. */
export function ViewerDialog({
  id,
  requests: listed,
  entries,
  onNearEnd,
  onPastEnd,
}: {
  id: string;
  requests: readonly RequestWire[];
  entries: readonly CatalogEntry[];
  onNearEnd: (() => void) | undefined;
  /** Retries the next page; set when it failed to load. */
  onPastEnd: (() => unknown) | undefined;
}) {
  const { remove } = useRequestActs();
  const requests = useOrder(listed, id);
  const placeOf = (of: string | null) => requests.findIndex(({ request_id }) => request_id === of);
  const at = placeOf(id);
  const before = at > 0 ? requests[at - 1] : undefined;
  const after = at >= 0 ? requests[at + 1] : undefined;
  const nearEnd = at >= 0 && at >= requests.length - 5;
  useEffect(() => {
    if (nearEnd) onNearEnd?.();
  }, [nearEnd, onNearEnd]);
  useNeighbours([before, after]);
  useCloseRequests(close);
  const go = (step: number) => {
    if (step > 0 && !after) return void onPastEnd?.();
    const now = placeOf(viewedNow());
    const next = now >= 0 && requests[now + step];
    if (next) replaceAddress({ view: next.request_id });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // videos, inputs and menus handle arrow keys themselves
    const isTaken = event.target instanceof HTMLElement && event.target.closest('video, input, [role="menu"]');
    if (isTaken || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    go(step);
  };

  return (
    <Dialog.Root open onOpenChange={closeLast}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onCloseAutoFocus={event => {
            const tile = document.querySelector<HTMLElement>(`[data-opens="${id}"]`) ?? tileOneIsAt();
            if (!tile) return;
            event.preventDefault();
            tile.focus();
          }}
          className="animate-fade-in fixed inset-0 z-40 flex bg-sunk outline-none"
        >
          <Dialog.Title className="sr-only">Result</Dialog.Title>
          <Viewer
            id={id}
            known={requests[at]}
            entries={entries}
            onDelete={request => {
              // the viewer moves to the neighbour; a request that is not in the list has none
              const place = placeOf(request.request_id);
              const next = place >= 0 ? (requests[place + 1] ?? requests[place - 1]) : undefined;
              if (!next) close();
              replaceAddress({ view: next?.request_id ?? null });
              remove([request]);
            }}
            Acts={ViewerActs}
            controls={
              <div className="-mt-1 flex items-center gap-1">
                <IconButton
                  label="Newer"
                  className="-ml-2"
                  // not `disabled`, which would drop the focus and with it the arrow keys
                  aria-disabled={!before}
                  icon={<ChevronLeft className="size-5" aria-hidden />}
                  onClick={() => go(-1)}
                />
                <IconButton
                  label="Older"
                  aria-disabled={!after && !onPastEnd}
                  icon={<ChevronRight className="size-5" aria-hidden />}
                  onClick={() => go(1)}
                />
                <Button asChild tone="ghost" className="ml-auto size-10 px-0 pointer-coarse:size-11">
                  <Link href={`/history/${id}`} aria-label="Open as a page" title="Open as a page">
                    <SquareArrowOutUpRight className="size-4" aria-hidden />
                  </Link>
                </Button>
                <Dialog.Close asChild>
                  <IconButton
                    label="Close"
                    className="-mr-2 max-lg:fixed max-lg:top-3 max-lg:right-5 max-lg:rounded-full max-lg:bg-raised/90"
                    icon={<X className="size-5" aria-hidden />}
                  />
                </Dialog.Close>
              </div>
            }
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Returns the list for the arrow keys: the last one that had the viewed result, if it has been deleted elsewhere. */
function useOrder(listed: readonly RequestWire[], id: string): readonly RequestWire[] {
  const [order, setOrder] = useState(listed);
  const has = (list: readonly RequestWire[]) => list.some(({ request_id }) => request_id === id);
  const next = has(listed) || !has(order) ? listed : order;
  if (next !== order) setOrder(next);
  return next;
}

/** Preloads the neighbouring images, so that arrow keys show them immediately. */
function useNeighbours(neighbours: (RequestWire | undefined)[]) {
  const urls = neighbours.map(request => (request?.result?.type === 'image' ? request.result.url : '')).join(' ');
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const url of urls.split(' ').filter(Boolean)) new Image().src = url;
    }, 400);
    return () => clearTimeout(timer);
  }, [urls]);
}
