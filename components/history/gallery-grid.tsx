'use client';

/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are positioned by their heights, which a table cannot do */

import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { daysHere } from '#components/history/days-here';
import { rememberFrame, type ServedFrame } from '#components/history/gallery-frame';
import { GalleryTile, type TileActs } from '#components/history/gallery-tile';
import { GAP, layoutRows, type GalleryRow } from '#components/history/layout-rows';
import { useGridKeys, type GridKeys } from '#components/history/use-grid-keys';
import { usePlace } from '#components/history/use-place';
import { useRowsInView } from '#components/history/use-rows-in-view';
import { cn } from '#components/ui/cn';
import { useViewAddress } from '#components/viewer/use-view-address';
import type { RequestWire } from '#lib/contract/schemas';

const NONE: readonly RequestWire[] = [];

interface Props extends Omit<TileActs, 'onFocus'>, GridKeys {
  requests: readonly RequestWire[];
  served: ServedFrame;
  /** Newer states of the live requests, by id. */
  live: ReadonlyMap<string, RequestWire>;
  /** Quarter of an hour of the last update; in every time zone, days begin on such a boundary. */
  quarter: number;
  chosen: ReadonlySet<string>;
  /** The requests whose ids are in `chosen`. */
  selected: readonly RequestWire[];
  isSelecting: boolean;
  /** Whether more requests exist than are loaded. */
  hasMore: boolean;
  /** Called when the viewport approaches the last loaded row. */
  onNearEnd: () => void;
}

/** A virtualised grid of results. It is a single tab stop; arrow keys go from tile to tile. */
export function GalleryGrid({
  requests,
  served,
  live,
  quarter,
  chosen,
  selected,
  isSelecting,
  hasMore,
  onNearEnd,
  onOpen,
  onSelect,
  onFavourite,
  ...keys
}: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const { width, days, top, scale } = useFrame(frame, served);
  const rows = useMemo(
    () => {
      const here = daysHere();
      return width ? layoutRows(requests, width, time => days?.get(time) ?? here(time), { hasMore, scale }) : [];
    },
    // oxlint-disable-next-line react/exhaustive-deps -- it may begin a new day
    [requests, width, days, hasMore, scale, quarter],
  );
  const [current, setCurrent] = usePlace(requests, useViewAddress().viewed);
  const [isFocused, setFocused] = useState(false);
  const rowOf = useRowOf(rows);

  const { seen, starts, height, show } = useRowsInView(rows, top);
  // the row of the current tile stays rendered: it has the focus, or gets it back
  const kept = rowOf(current);
  const drawn = kept === undefined || seen.includes(kept) ? seen : [...seen, kept].sort((a, b) => a - b);
  const last = seen.at(-1) ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 12) onNearEnd();
  }, [last, rows.length, onNearEnd]);

  const go = useCallback(
    (index: number) => {
      setCurrent(index);
      const row = rowOf(index);
      if (row === undefined) return;
      show(row);
      focusSoon(frame, index);
    },
    [rowOf, show, setCurrent],
  );
  useEffect(() => {
    // the focus falls to the body when the focused tile is removed
    if (isFocused && document.activeElement === document.body) go(current);
  }, [isFocused, go, current]);
  const onKeyDown = useGridKeys({ requests, rows, rowOf, current, go, onSelect, onFavourite, ...keys });

  return (
    <div
      ref={frame}
      role="grid"
      aria-label="Results"
      aria-multiselectable
      aria-rowcount={-1}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      // before the first measurement, the guessed width may be too wide
      className={cn('relative outline-none', top === 0 && 'overflow-x-clip')}
      style={{ height: width ? height : '100dvh' }}
    >
      {drawn.map(index => {
        const row = rows[index]!;
        return (
          <div
            key={row.key}
            role="row"
            aria-rowindex={index + 1}
            className="absolute inset-x-0 top-0 flex"
            style={{ transform: `translateY(${starts[index]}px)`, height: row.height, gap: GAP }}
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
                  quarter={quarter}
                  mediaHeight={row.mediaHeight}
                  isSelected={chosen.has(request.request_id)}
                  along={chosen.has(request.request_id) ? selected : NONE}
                  isSelecting={isSelecting}
                  isCurrent={place === current}
                  onOpen={onOpen}
                  onSelect={onSelect}
                  onFavourite={onFavourite}
                  onFocus={setCurrent}
                />
              ))
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Returns a function that maps the index of a request to its row. */
function useRowOf(rows: readonly GalleryRow[]): (index: number) => number | undefined {
  const byTile = useMemo(() => {
    const found: number[] = [];
    for (const [index, row] of rows.entries())
      if (row.kind === 'tiles') for (const tile of row.tiles) found[tile.index] = index;
    return found;
  }, [rows]);
  return useCallback((index: number) => byTile[index], [byTile]);
}

/** Focuses a tile; retries per animation frame, because the tile may be rendered only after the scroll. */
function focusSoon(frame: React.RefObject<HTMLDivElement | null>, index: number, tries = 20) {
  const tile = frame.current?.querySelector<HTMLElement>(`[data-tile="${index}"]`);
  if (tile) tile.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusSoon(frame, index, tries - 1));
}

interface Size extends Partial<Pick<ServedFrame, 'days'>> {
  width: number;
  top: number;
  scale: number;
}

/** Last measured width of the grid, so that it has its full height immediately when the user returns to the page. */
let known = 0;

/**
 * Measures the grid: its width, its distance from the top of the page, and the scale of text relative to 16 px. Until
 * the first measurement, the result also has the day names that the server rendered.
 */
function useFrame(frame: React.RefObject<HTMLDivElement | null>, served: ServedFrame) {
  const [size, setSize] = useState<Size>({ ...served, width: known || served.width, top: 0, scale: 1 });
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const look = () => {
      // the page has just been left
      if (!element.isConnected) return;
      const { left, right, top } = element.getBoundingClientRect();
      const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
      const next = { width: Math.floor(right - left), top: Math.round(top + window.scrollY), scale };
      if (next.width !== known) rememberFrame(next.width);
      known = next.width;
      // a transition, so that the page stays responsive during the new layout
      startTransition(() =>
        setSize(before =>
          !before.days && before.width === next.width && before.top === next.top && before.scale === scale
            ? before
            : next,
        ),
      );
    };
    // the observer also reports the initial size
    const observer = new ResizeObserver(look);
    observer.observe(element);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [frame]);
  return size;
}
