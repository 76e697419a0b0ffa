'use client';

/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows stand where their heights put them, which no table does */

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
  /** Newer states of the live ones among them. */
  live: ReadonlyMap<string, RequestWire>;
  /** When somebody last looked, by the quarter of an hour: days begin with one everywhere. */
  quarter: number;
  chosen: ReadonlySet<string>;
  /** The same, themselves. */
  selected: readonly RequestWire[];
  isSelecting: boolean;
  /** More is there than is loaded. */
  hasMore: boolean;
  /** Called when the end of what is loaded comes near. */
  onNearEnd: () => void;
}

/** The pictures in rows, of which only those in sight are drawn. One stop for Tab; arrows go from tile to tile. */
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
    // oxlint-disable-next-line react/exhaustive-deps, react/exhaustive-effect-dependencies -- today is another day by then
    [requests, width, days, hasMore, scale, quarter],
  );
  const [current, setCurrent] = usePlace(requests, useViewAddress().viewed);
  const [isFocused, setFocused] = useState(false);
  const rowOf = useRowOf(rows);

  const { seen, starts, height, show } = useRowsInView(rows, top);
  // the row one is at stays: the focus is there, or comes back to it
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
    // a tile that is removed takes the focus with it
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
      // a width that was guessed may be too wide for a moment
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

interface Size extends Partial<Pick<ServedFrame, 'days'>> {
  width: number;
  top: number;
  scale: number;
}

/** How wide the grid was last: it stands so at once when the page is come back to, as long as it was. */
let known = 0;

/**
 * How wide the grid is, the days that it shows where they are the server's, how far below the top of the page it stands, and how much
 * larger than usual letters are.
 */
function useFrame(frame: React.RefObject<HTMLDivElement | null>, served: ServedFrame) {
  const [size, setSize] = useState<Size>({ ...served, width: known || served.width, top: 0, scale: 1 });
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const look = () => {
      // the page was left in this moment
      if (!element.isConnected) return;
      const { left, right, top } = element.getBoundingClientRect();
      const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
      const next = { width: Math.floor(right - left), top: Math.round(top + window.scrollY), scale };
      if (next.width !== known) rememberFrame(next.width);
      known = next.width;
      // not all of it at once: the page takes touches meanwhile
      startTransition(() =>
        setSize(before =>
          !before.days && before.width === next.width && before.top === next.top && before.scale === scale
            ? before
            : next,
        ),
      );
    };
    // it looks at once, when the page stands
    const observer = new ResizeObserver(look);
    observer.observe(element);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [frame]);
  return size;
}
