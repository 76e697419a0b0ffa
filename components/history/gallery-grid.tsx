'use client';

/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows stand where the virtualizer puts them, which no table does */

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { GalleryTile, type TileActs } from '#components/history/gallery-tile';
import { GAP, layoutRows, type GalleryRow } from '#components/history/layout-rows';
import { useGridKeys, type GridKeys } from '#components/history/use-grid-keys';
import { dayOf } from '#components/generations/words';
import type { RequestWire } from '#lib/contract/schemas';

interface Props extends Omit<TileActs, 'onFocus'>, GridKeys {
  requests: readonly RequestWire[];
  /** Newer states of the live ones among them. */
  live: ReadonlyMap<string, RequestWire>;
  chosen: ReadonlySet<string>;
  isSelecting: boolean;
  /** More is there than is loaded. */
  hasMore: boolean;
  /** Called when the end of what is loaded comes near. */
  onNearEnd: () => void;
}

/** The pictures in rows, of which only those in sight are drawn. One stop for Tab; arrows go from tile to tile. */
export function GalleryGrid({
  requests,
  live,
  chosen,
  isSelecting,
  hasMore,
  onNearEnd,
  onOpen,
  onSelect,
  onFavourite,
  ...keys
}: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const { width, top } = useFrame(frame);
  const rows = useMemo(() => (width ? layoutRows(requests, width, dayOf, hasMore) : []), [requests, width, hasMore]);
  const [current, setCurrent] = useState(0);
  const focused = useRef(false);
  const rowOf = useRowOf(rows);

  // oxlint-disable-next-line react/incompatible-library -- nothing it returns is passed on
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: index => rows[index]?.height ?? 0,
    getItemKey: index => rows[index]?.key ?? index,
    scrollMargin: top,
    overscan: 3,
    // the bars above and, on phones, below
    scrollPaddingStart: 76,
    scrollPaddingEnd: 76,
    // the row with the focus stays, or the focus would be lost
    rangeExtractor: range => {
      const seen = defaultRangeExtractor(range);
      const kept = focused.current ? rowOf(current) : undefined;
      return kept === undefined || seen.includes(kept) ? seen : [...seen, kept].sort((a, b) => a - b);
    },
  });
  const scroller = useRef(virtualizer);
  useLayoutEffect(() => {
    scroller.current = virtualizer;
  });
  useLayoutEffect(() => scroller.current.measure(), [rows]);

  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 12) onNearEnd();
  }, [last, rows.length, onNearEnd]);

  const go = useCallback(
    (index: number) => {
      setCurrent(index);
      const row = rowOf(index);
      if (row === undefined) return;
      scroller.current.scrollToIndex(row, { align: 'auto', behavior: 'instant' });
      focusSoon(frame, index);
    },
    [rowOf],
  );
  const onKeyDown = useGridKeys({ requests, rows, rowOf, current, go, onSelect, onFavourite, ...keys });
  const onFocus = useCallback((index: number) => setCurrent(index), []);

  return (
    <div
      ref={frame}
      role="grid"
      aria-label="Results"
      aria-multiselectable
      aria-rowcount={-1}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onFocus={() => (focused.current = true)}
      onBlur={() => (focused.current = false)}
      className="relative outline-none"
      style={{ height: width ? virtualizer.getTotalSize() : '100dvh' }}
    >
      {items.map(({ index, key, start }) => {
        const row = rows[index];
        if (!row) return null;
        return (
          <div
            key={key}
            role="row"
            aria-rowindex={index + 1}
            className="absolute inset-x-0 top-0 flex"
            style={{ transform: `translateY(${start - top}px)`, height: row.height, gap: GAP }}
          >
            {row.kind === 'day' ? (
              <div role="rowheader" className="self-end pb-3">
                <h2 className="font-title text-lg">{row.day}</h2>
              </div>
            ) : (
              row.tiles.map(({ request, index: place, width: tileWidth }) => (
                <GalleryTile
                  key={request.request_id}
                  request={live.get(request.request_id) ?? request}
                  index={place}
                  width={tileWidth}
                  mediaHeight={row.mediaHeight}
                  isSelected={chosen.has(request.request_id)}
                  isSelecting={isSelecting}
                  isCurrent={place === Math.min(current, requests.length - 1)}
                  onOpen={onOpen}
                  onSelect={onSelect}
                  onFavourite={onFavourite}
                  onFocus={onFocus}
                />
              ))
            )}
          </div>
        );
      })}
    </div>
  );
}

/** The row of the tile at a place in the list. */
function useRowOf(rows: readonly GalleryRow[]): (index: number) => number | undefined {
  const byTile = useMemo(() => {
    const found: number[] = [];
    for (const [index, row] of rows.entries())
      if (row.kind === 'tiles') for (const tile of row.tiles) found[tile.index] = index;
    return found;
  }, [rows]);
  return useCallback((index: number) => byTile[index], [byTile]);
}

/** The tile may be drawn only after the scroll. */
function focusSoon(frame: React.RefObject<HTMLDivElement | null>, index: number, tries = 20) {
  const tile = frame.current?.querySelector<HTMLElement>(`[data-tile="${index}"]`);
  if (tile) tile.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusSoon(frame, index, tries - 1));
}

/** How wide the grid is, and how far below the top of the page. */
function useFrame(frame: React.RefObject<HTMLDivElement | null>) {
  const [size, setSize] = useState({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const look = () => {
      const { left, right, top } = element.getBoundingClientRect();
      const next = { width: Math.floor(right - left), top: Math.round(top + window.scrollY) };
      setSize(before => (before.width === next.width && before.top === next.top ? before : next));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [frame]);
  return size;
}
